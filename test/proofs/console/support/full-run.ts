/** `npm run test:console`: checks everything, and writes the screenshots to docs/console. */
export const isFullRun = process.env['CONSOLE'] === 'whole';

/** The first of several similar cases, for `npm test`. `npm run test:console` runs all of them. */
export const selectForRun = <T>(all: readonly T[], few: number): readonly T[] => (isFullRun ? all : all.slice(0, few));

/** Cases that `npm test` lists and does not run. */
export const skipWithTodo = (title: string, _tests: () => void): void => it.todo(`${title} (npm run test:console)`);
