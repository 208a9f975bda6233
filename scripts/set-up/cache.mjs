// The set-up keeps programs outside the checkout for fresh clones: $XDG_CACHE_HOME/trade-print or ~/.cache/trade-print/<tool>/<version>/.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot, readIfExists } from './project.mjs';
import { say } from './report.mjs';

/** The cache folder; below the temporary folder when the home folder cannot be written. */
export function cacheDir() {
  const wanted = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'trade-print');
  try {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    accessSync(wanted, constants.W_OK);
    return wanted;
  } catch {
    const fallback = join(tmpdir(), `trade-print-cache-${userInfo().uid}`);
    mkdirSync(fallback, { recursive: true, mode: 0o700 });
    return fallback;
  }
}

/**
 * Fills a folder of the cache under another name first: an interrupted set-up leaves nothing that looks complete.
 * @param isComplete of the folder: another checkout's set-up may have filled it meanwhile, and its programs may be running
 */
export async function fillCacheFolder(folder, isComplete, fill) {
  const partial = `${folder}.${process.pid}`;
  const removePartial = () => rmSync(partial, { recursive: true, force: true });
  process.once('exit', removePartial);
  mkdirSync(partial, { recursive: true });
  try {
    await fill(partial);
    if (isComplete()) return;
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    process.removeListener('exit', removePartial);
    removePartial();
  }
}

/**
 * Runs `work`, which changes node_modules or builds, while no other set-up of this checkout does. The lock is outside node_modules because
 * `npm ci` removes that folder.
 */
export async function withLock(work) {
  const file = join(cacheDir(), `set-up-${createHash('sha256').update(projectRoot).digest('hex').slice(0, 12)}.lock`);
  await takeLock(file);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

/** Writes the lock under another name first, so nobody reads half of it. */
async function takeLock(file) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, `${process.pid} ${startTime(process.pid)}`);
  try {
    for (let isTold = false; !isLinked(mine, file);) {
      const holder = readIfExists(file) ?? '';
      const [pid, startedAt] = holder.split(/ (.*)/s);
      if (startTime(pid) === startedAt && startedAt !== undefined) {
        if (!isTold) say(`waiting for another set-up of this project (process ${pid}) …`);
        isTold = true;
        await delay(500);
      } else removeLock(file, holder);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Removes the lock of an ended process. Puts the lock back if another set-up has just removed that one and taken its own. */
function removeLock(file, deadHolder) {
  const aside = `${file}.${process.pid}.ended`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, 'utf8') !== deadHolder) isLinked(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error; // another set-up has just removed it
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Gives a file a second name. @returns false where the name is taken */
function isLinked(file, name) {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** When a process began, because another one may get its pid; undefined when none has it. */
function startTime(pid) {
  try {
    if (process.platform !== 'linux') return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    // The command's name in parentheses may hold blanks; the fields after it do not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
