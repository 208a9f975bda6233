import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../../src/private-files';
import { until } from './ports';
import type { ProcessKeeper } from './processes';
import { SetupError } from './setup-error';

const PREDECESSOR_TIMEOUT_MS = 60_000;

/** What `npm start` and the processes keep in DATA_DIR. Whatever else lies there is somebody else's. */
const OURS = /^(admin-token|secrets|npm-start\.|postgres\.json|temporal\.db|logs$|outbox$|artwork$)/;
/** PostgreSQL's files and programs, with modes and perhaps an owner of their own. */
const POSTGRES = /^postgres(ql-|$|\.creating|\.password)/;

/** DATA_DIR, held by one `npm start` at a time, and by its watcher until the last of its processes has stopped. */
export class DataFolder {
  readonly logsDir: string;
  private readonly lockFile: string;

  private constructor(readonly path: string) {
    this.logsDir = join(path, 'logs');
    this.lockFile = join(path, 'npm-start.lock');
  }

  /** @throws SetupError when another `npm start` holds it */
  static async claim(path: string, keeper: ProcessKeeper): Promise<DataFolder> {
    const folder = new DataFolder(path);
    folder.create();
    await folder.lock(keeper);
    for (const name of readdirSync(path)) if (OURS.test(name)) makePrivate(join(path, name));
    return folder;
  }

  release(): void {
    if (contentOf(this.lockFile).startsWith(`${process.pid} `)) rmSync(this.lockFile, { force: true });
  }

  private create(): void {
    try {
      mkdirSync(this.path, { recursive: true });
      // As root, PostgreSQL runs as another user, who must be able to pass through; all else here is for our own eyes.
      if (readdirSync(this.path).every((name) => OURS.test(name) || POSTGRES.test(name)))
        chmodSync(this.path, process.getuid?.() === 0 ? 0o711 : 0o700);
      mkdirSync(this.logsDir, { recursive: true, mode: 0o700 });
      accessSync(this.path, constants.W_OK);
    } catch (error) {
      throw new SetupError(`the data folder ${this.path} cannot be used: ${(error as Error).message}\nSet DATA_DIR to another place.`);
    }
  }

  /** Writes the lock under another name first, so nobody reads half of it. */
  private async lock(keeper: ProcessKeeper): Promise<void> {
    const mine = `${this.lockFile}.${process.pid}`;
    writeFileSync(mine, `${process.pid} ${keeper.watcherPid}`, { mode: 0o600 });
    try {
      while (!isLinked(mine, this.lockFile)) {
        const holder = contentOf(this.lockFile);
        await this.whenFree(holder);
        this.removeLockOf(holder);
      }
    } finally {
      rmSync(mine, { force: true });
    }
  }

  /** Another start may have taken the lock since it was read: then its lock is put back. */
  private removeLockOf(holder: string): void {
    const removed = `${this.lockFile}.${process.pid}.removed`;
    try {
      renameSync(this.lockFile, removed);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    if (contentOf(removed) !== holder) isLinked(removed, this.lockFile);
    rmSync(removed);
  }

  private async whenFree(holder: string): Promise<void> {
    const [starter = 0, watcher = 0] = holder.split(' ').map(Number);
    if (!this.isWatchedBy(watcher)) return;
    if (isAlive(starter))
      throw new SetupError(
        `another npm start (process ${starter}) is running on ${this.path}.\n` +
          'Stop it first, or set DATA_DIR and the ports to run a second one next to it.',
      );
    console.log('waiting until the processes of an earlier start have stopped …');
    const hasEnded = async () => !this.isWatchedBy(watcher) || undefined;
    await until('the processes of an earlier start did not stop', hasEnded, { timeoutMs: PREDECESSOR_TIMEOUT_MS });
  }

  /** Whether this process is a watcher of this folder, and not another one that got its id. */
  private isWatchedBy(pid: number): boolean {
    try {
      const command =
        process.platform === 'linux'
          ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
          : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
      return command.includes(`/watcher.sh ${this.path} `);
    } catch {
      return false;
    }
  }
}

/** @returns an empty text where there is no such file */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Gives a file a second name. @returns false where the name is taken */
function isLinked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
