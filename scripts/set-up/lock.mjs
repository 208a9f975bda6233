// The lock of this checkout. Only one set-up at a time may change node_modules or build.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot } from './project.mjs';
import { say, SetupFailure } from './report.mjs';

/** The lock is a listening socket, because the system closes it when its process ends. Only Linux has sockets without a file or port. */
const hash = createHash('sha256').update(projectRoot).digest();
const SOCKET =
  process.platform === 'linux'
    ? { path: `\0trade-print-set-up-${hash.toString('hex')}` }
    : { host: '127.0.0.1', port: 20_000 + (hash.readUInt32BE() % 12_000), exclusive: true };
const LOCK_NAME = SOCKET.path?.replace('\0', '@') ?? `port ${SOCKET.port} of ${SOCKET.host}`;
const POLL_MS = 500;

/** @throws SetupFailure if the lock is not free in time. On macOS, another program may use the port */
export async function withLock(work, maxWaitMs = 600_000) {
  const lock = createServer();
  for (let waitedMs = 0; !(await tryToListen(lock)); waitedMs += POLL_MS) {
    if (waitedMs >= maxWaitMs)
      throw new SetupFailure(`another set-up of this project, or another program, uses ${LOCK_NAME}. Stop it first.`);
    if (waitedMs === 0) say('waiting for another set-up of this project …');
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    lock.close();
  }
}

/** @returns false if another process listens on the socket */
async function tryToListen(lock) {
  try {
    await once(lock.listen(SOCKET), 'listening');
    return true;
  } catch (error) {
    if (error.code === 'EADDRINUSE') return false;
    throw error;
  }
}
