import { createTheme, type CSSVariablesResolver } from '@mantine/core';

/** What the whole console has in common: dense enough for work, readable at arm's length. */
export const theme = createTheme({
  primaryColor: 'indigo',
  // Red outlines are readable on white from this shade on; above this luminance black is on a colour what white is below it: 4.5 to 1 and more.
  primaryShade: { light: 8, dark: 5 },
  autoContrast: true,
  luminanceThreshold: 0.183,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
});

/** Mantine's own red and grey text is too pale to be read: here each has a contrast of 4.5 to 1 and more. */
export const readable: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-red-filled': colors.red[9],
    '--mantine-color-red-filled-hover': colors.red[9],
    '--mantine-color-red-outline': colors.red[9],
    '--mantine-color-red-light-color': colors.red[9],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[0],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[3],
    '--mantine-color-red-filled': colors.red[9],
    '--mantine-color-red-filled-hover': colors.red[9],
    '--mantine-color-red-outline': colors.red[3],
    '--mantine-color-red-light-color': colors.red[2],
  },
});
