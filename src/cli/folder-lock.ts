import { randomUUID } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { hostname } from 'node:os';
import * as path from 'node:path';
import { MINUTE_MS } from '../domain/duration';
import { nullIfMissing, systemCode } from '../storage/durable-files';
import { CommandFailure, errorMessage, usageError } from './errors';
import { safeText } from './safe-text';

const TOUCH_EVERY_MS = 15_000;
/** The program that holds a lock touches it until it ends. */
const ABANDONED_AFTER_MS = 2 * MINUTE_MS;

/** A file that lets one program at a time write to a folder. */
export class FolderLock {
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly file: string,
    private readonly content: string,
    private readonly handle: nodeFs.FileHandle,
  ) {
    // The handle touches this program's lock only, also after another program has replaced it.
    const touch = (): void => void handle.utimes(new Date(), new Date()).catch(() => undefined);
    this.timer = setInterval(touch, TOUCH_EVERY_MS).unref();
  }

  /** @throws CommandFailure while another program holds the lock */
  static async acquire(file: string): Promise<FolderLock> {
    const id = randomUUID();
    const content = JSON.stringify({ pid: process.pid, host: hostname(), id });
    for (;;) {
      const handle = await create(file, content);
      if (handle !== null) return new FolderLock(file, content, handle);
      const found = await nullIfMissing(nodeFs.readFile(file, 'utf8'));
      if (found === null) continue;
      if ((await isHeld(file, found)) || !(await removeStale(file, found, `${file}.${id}`)))
        throw new CommandFailure(`another trade-print uses this folder; its lock is ${safeText(file)}`);
    }
  }

  /** False once another program has taken over the lock. */
  async isHeld(): Promise<boolean> {
    return (await nodeFs.readFile(this.file, 'utf8').catch(() => null)) === this.content;
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.handle.close();
    if (await this.isHeld()) await nodeFs.rm(this.file, { force: true });
  }
}

/** Creates the lock; null if it exists. */
async function create(file: string, content: string): Promise<nodeFs.FileHandle | null> {
  try {
    const handle = await nodeFs.open(file, 'wx');
    try {
      await handle.writeFile(content);
      return handle;
    } catch (error) {
      await handle.close();
      await nodeFs.rm(file, { force: true });
      throw error;
    }
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return null;
    throw usageError(`cannot write to ${safeText(path.dirname(file))}: ${safeText(errorMessage(error))}`);
  }
}

/** A lock is not held once it is abandoned, or once its program on this computer has ended. */
async function isHeld(file: string, content: string): Promise<boolean> {
  const stats = await nullIfMissing(nodeFs.stat(file));
  if (stats === null || Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS) return false;
  try {
    const { pid, host } = JSON.parse(content) as { pid: number; host: string };
    if (host === hostname()) process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH'; // a half-written lock is new
  }
}

/** Only one program can rename the lock. If it got the lock of a faster program, it puts that lock back and returns false. */
async function removeStale(file: string, content: string, aside: string): Promise<boolean> {
  try {
    await nodeFs.rename(file, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true;
    throw error;
  }
  const isStale = (await nodeFs.readFile(aside, 'utf8')) === content;
  if (!isStale) await nodeFs.link(aside, file).catch(() => undefined);
  await nodeFs.rm(aside, { force: true });
  return isStale;
}
