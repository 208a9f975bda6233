import { chmodSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** For `process.umask`: what a process makes is for its own user, unless it says otherwise. */
export const PRIVATE_UMASK = 0o077;
const GROUP_AND_OTHERS = 0o077;

/** Writes a file that only we can read, all at once and through to the disk; one that was there before is replaced, whatever its mode. */
export function writePrivate(file: string, text: string): void {
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(`${file}.new`, file);
}

/** Reads a file with a secret, after taking away what others may do to it. @throws as fs does where there is none */
export function readPrivate(file: string): string {
  makePrivate(file);
  return readFileSync(file, 'utf8');
}

/** Takes from everybody but its owner what they may do to a file, or a folder and all below it. What belongs to others is left alone. */
export function makePrivate(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false }); // a temporary file may have gone meanwhile
  if (stats === undefined || stats.isSymbolicLink() || stats.uid !== process.getuid?.()) return;
  if ((stats.mode & GROUP_AND_OTHERS) !== 0) chmodSync(path, stats.mode & 0o700);
  if (stats.isDirectory()) for (const name of readdirSync(path)) makePrivate(join(path, name));
}
