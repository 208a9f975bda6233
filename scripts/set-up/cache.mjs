// The set-up keeps programs outside the checkout for fresh clones: $XDG_CACHE_HOME/trade-print or ~/.cache/trade-print/<tool>/<version>/.

import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot } from './project.mjs';
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

/** Fills a folder of the cache under another name first: an interrupted set-up leaves nothing that looks complete. */
export async function fillCacheFolder(folder, fill) {
  const partial = `${folder}.${process.pid}`;
  const removePartial = () => rmSync(partial, { recursive: true, force: true });
  process.once('exit', removePartial);
  mkdirSync(partial, { recursive: true });
  try {
    await fill(partial);
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    process.removeListener('exit', removePartial);
    removePartial();
  }
}

/** Runs `work` while no other set-up of this checkout runs. */
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

async function takeLock(file) {
  for (let isTold = false; ;) {
    try {
      return writeFileSync(file, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder !== undefined && !isAlive(holder)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!isTold) say(`waiting for another set-up of this project (process ${holder ?? 'unknown'}) …`);
    isTold = true;
    await delay(500);
  }
}

/** Undefined where the holder has just let go, or has not written its number yet. */
function readHolder(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
