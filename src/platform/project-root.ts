import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with package.json, for code in src and in dist/src. Nothing depends on the working directory. */
export const projectRoot = findProjectRoot(__dirname);

function findProjectRoot(startDir: string): string {
  let dir = startDir;
  while (!existsSync(join(dir, 'package.json'))) {
    const parent = dirname(dir);
    if (parent === dir) throw new Error(`no package.json above ${startDir}`);
    dir = parent;
  }
  return dir;
}
