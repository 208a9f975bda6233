const WHOLE = process.env['CONSOLE_WHOLE'] !== undefined;

/** The first of many alike, which is what `npm test` has time for; all of them in `npm run test:console`. */
export const some = <T>(all: readonly T[], few: number): readonly T[] => (WHOLE ? all : all.slice(0, few));
