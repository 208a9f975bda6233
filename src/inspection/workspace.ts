/** A folder of this process's own for bytes that are looked at; what a process that died left behind goes at the next start. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export class Workspace {
  private constructor(private readonly folder: string) {}

  /** @param dir shared by the processes of one machine */
  static async open(dir: string): Promise<Workspace> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    for (const name of await readdir(dir)) if (!isAtWork(name)) await rm(path.join(dir, name), { recursive: true, force: true });
    const folder = path.join(dir, `${process.pid}-${randomBytes(8).toString('hex')}`);
    await mkdir(folder, { mode: 0o700 });
    return new Workspace(folder);
  }

  /** Gives `work` a file with these bytes and the name of one that is not there yet; afterwards both are gone, whatever happened. */
  async with<T>(bytes: Readable, stop: AbortSignal, work: (file: string, beside: string) => Promise<T>): Promise<T> {
    const file = path.join(this.folder, randomBytes(8).toString('hex'));
    try {
      await pipeline(bytes, createWriteStream(file, { mode: 0o600, flags: 'wx' }), { signal: stop });
      return await work(file, `${file}.webp`);
    } finally {
      await Promise.all([file, `${file}.webp`].map((one) => rm(one, { force: true })));
    }
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** Whether the process that made this folder is alive. Our own number was another's before us: in a container it is always the same. */
function isAtWork(name: string): boolean {
  const pid = Number(name.split('-')[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
