// Lets one set-up of this checkout at a time change node_modules or build.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot } from './project.mjs';
import { say } from './report.mjs';

/** The system closes a socket with its process, so no lock outlives its holder. Only Linux has sockets that are names without files. */
const hash = createHash('sha256').update(projectRoot).digest();
const SOCKET =
  process.platform === 'linux'
    ? { path: `\0trade-print-set-up-${hash.toString('hex')}` }
    : { host: '127.0.0.1', port: 20_000 + (hash.readUInt32BE() % 12_000), exclusive: true };

export async function withLock(work) {
  const lock = createServer();
  for (let isTold = false; !(await isTaken(lock)); isTold = true) {
    if (!isTold) say('waiting for another set-up of this project …');
    await delay(500);
  }
  try {
    return await work();
  } finally {
    lock.close();
  }
}

/** @returns false where another process listens on the socket */
async function isTaken(lock) {
  try {
    await once(lock.listen(SOCKET), 'listening');
    return true;
  } catch (error) {
    if (error.code === 'EADDRINUSE') return false;
    throw error;
  }
}
