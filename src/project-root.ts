import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder with package.json, whether this file runs from src (tests) or from dist/src, so that nothing depends on the folder a
 * command was typed in.
 */
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
