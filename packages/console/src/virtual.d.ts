/** vite.config.ts provides it. */
declare module 'virtual:mantine-styles';
