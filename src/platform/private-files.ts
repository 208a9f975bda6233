import { chmodSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** For `process.umask`: new files are readable only by their owner. */
export const PRIVATE_UMASK = 0o077;
const GROUP_AND_OTHERS = 0o077;

/** Writes a durable file that only its owner can read. Replaces an existing file with any mode. */
export function writePrivate(file: string, text: string): void {
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(`${file}.new`, file);
}

/**
 * Makes a secret file private, then reads it.
 * @throws the error of fs if the file does not exist
 */
export function readPrivate(file: string): string {
  makePrivate(file);
  return readFileSync(file, 'utf8');
}

/** Removes the rights of group and others from a file, or from a folder with its contents. Ignores files of other users. */
export function makePrivate(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false }); // temporary files may disappear meanwhile
  if (stats === undefined || stats.isSymbolicLink() || stats.uid !== process.getuid?.()) return;
  if ((stats.mode & GROUP_AND_OTHERS) !== 0) chmodSync(path, stats.mode & 0o700);
  if (stats.isDirectory()) for (const name of readdirSync(path)) makePrivate(join(path, name));
}
