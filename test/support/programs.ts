import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program; undefined without it. */
export function findProgram(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** A `describe` for tests that need a program. Skipped tests name the missing one. */
export function describeWithProgram(name: string, title: string, tests: () => void): void {
  if (findProgram(name) === undefined) describe.skip(`${title} (no \`${name}\` on the PATH)`, tests);
  else describe(title, tests);
}
