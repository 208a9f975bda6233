import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program; undefined without it. Ubuntu's snaps cannot use the temporary folders of tests. */
export function findProgram(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return !realpathSync(path).startsWith('/snap/') && realpathSync(path) !== '/usr/bin/snap';
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
