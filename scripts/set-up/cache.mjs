// Programs that take minutes to get are kept outside the checkout, so that a fresh clone and `npm ci` keep them:
// $XDG_CACHE_HOME/trade-print or ~/.cache/trade-print/<tool>/<source and version>/.

import { createHash, randomBytes } from 'node:crypto';
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot } from './project.mjs';
import { say } from './report.mjs';

let chosen;

/** The cache folder; below the temporary folder when the home folder cannot be written. */
export function cacheDir() {
  chosen ??= [wantedDir, () => join(tmpdir(), `trade-print-cache-${userInfo().uid}`)].map((dir) => dir()).find(isWritable);
  return chosen;
}

function wantedDir() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'trade-print');
}

function isWritable(dir) {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a folder of the cache all at once: `fill` works in a folder next to it, which takes its place when whole. An
 * interrupted set-up leaves nothing that looks complete. To be called under the tool's lock.
 */
export async function fillCacheFolder(folder, fill) {
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  try {
    await fill(partial);
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Runs `work` while no other set-up of this machine holds the lock of this name. */
export async function withLock(name, work) {
  const file = join(cacheDir(), 'locks', `${name}.lock`);
  mkdirSync(dirname(file), { recursive: true });
  await acquire(file);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
}

/** As `withLock`, for what two set-ups of this one checkout must not do at once. */
export function withProjectLock(work) {
  return withLock(`project-${createHash('sha256').update(projectRoot).digest('hex').slice(0, 12)}`, work);
}

async function acquire(file) {
  let told = false;
  while (!tryAcquire(file)) {
    const holder = holderOf(file);
    if (holder !== undefined && !isAlive(holder)) {
      takeAway(file, holder);
      continue;
    }
    if (!told) say(`waiting for another set-up of this project (process ${holder ?? 'unknown'}) …`);
    told = true;
    await delay(500);
  }
}

function tryAcquire(file) {
  try {
    const handle = openSync(file, 'wx', 0o600);
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** Removes the lock of a process that died, unless another set-up has just done so and taken it. */
function takeAway(file, deadHolder) {
  const aside = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (holderOf(aside) !== deadHolder && !existsSync(file)) renameSync(aside, file);
  else rmSync(aside, { force: true });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
