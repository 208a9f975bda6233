/** This process's folder for files during their inspection. Folders of crashed processes are removed at the next start. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ChildUser } from '../platform/child-user';
import type { DecoderFiles } from './decoder-process';

export class Workspace {
  private constructor(
    private readonly folder: string,
    private readonly readerUser: ChildUser | null,
  ) {}

  /**
   * @param dir shared by all processes of a machine
   * @param readerUser another user that may read the picture and write the preview
   */
  static async open(dir: string, readerUser: ChildUser | null = null): Promise<Workspace> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    for (const name of await readdir(dir)) if (!isInUse(name)) await rm(path.join(dir, name), { recursive: true, force: true });
    const folder = path.join(dir, `${process.pid}-${randomBytes(8).toString('hex')}`);
    await mkdir(folder, { mode: 0o700 });
    const workspace = new Workspace(folder, readerUser);
    await workspace.share(folder, 0o710);
    return workspace;
  }

  /** Calls `work` with a file of these bytes and two empty files for previews, and removes all of them afterwards. */
  async withFiles<T>(bytes: Readable, stop: AbortSignal, work: (files: DecoderFiles) => Promise<T>): Promise<T> {
    const file = path.join(this.folder, randomBytes(8).toString('hex'));
    const [preview, smallPreview] = [`${file}.webp`, `${file}-small.webp`];
    try {
      await pipeline(bytes, createWriteStream(file, { mode: 0o600, flags: 'wx' }), { signal: stop });
      await this.share(file, 0o660);
      for (const name of [preview, smallPreview]) {
        await writeFile(name, '', { mode: 0o600, flag: 'wx' });
        await this.share(name, 0o660);
      }
      return await work({ file, preview, smallPreview });
    } finally {
      await Promise.all([file, preview, smallPreview].map((name) => rm(name, { force: true, recursive: true })));
    }
  }

  private async share(name: string, mode: number): Promise<void> {
    if (this.readerUser === null) return;
    await chown(name, process.getuid?.() ?? 0, this.readerUser.gid);
    await chmod(name, mode);
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * True if the process that made this folder is alive. A folder with our own pid belongs to an earlier process, because containers reuse
 * pids.
 */
function isInUse(name: string): boolean {
  const pid = Number(name.split('-')[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
