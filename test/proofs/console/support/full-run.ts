/** `npm run test:console`: everything there is to look at, and its pictures in docs/console. */
export const isFullRun = process.env['CONSOLE'] === 'whole';

/** The first of many alike, which is what the proofs have time for; all of them in `npm run test:console`. */
export const selectForRun = <T>(all: readonly T[], few: number): readonly T[] => (isFullRun ? all : all.slice(0, few));

/** What the proofs have no time for: named, and not run. */
export const skipWithTodo = (title: string, _tests: () => void): void => it.todo(`${title} (npm run test:console)`);
