import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../../src/private-files';
import { until } from './ports';
import type { ProcessKeeper } from './process-keeper';
import { SetupError } from './setup-error';

const PREDECESSOR_TIMEOUT_MS = 60_000;

/** What `npm start` and the processes keep in DATA_DIR. Whatever else lies there is somebody else's. */
const OURS = /^(admin-token|secrets|npm-start\.|postgres\.json|temporal\.db|logs$|outbox$|artwork$)/;
/** PostgreSQL's files and programs, with modes and perhaps an owner of their own. */
const POSTGRES = /^postgres(ql-|$|\.creating|\.password)/;

/** A process, and when it began: after a restart of the machine its pid may belong to another one. */
interface Holder {
  pid: number;
  startedAt: string | undefined;
}

/** DATA_DIR, held by one `npm start` at a time. */
export class DataFolder {
  readonly logsDir: string;

  private constructor(
    readonly path: string,
    private readonly lockFile: string,
  ) {
    this.logsDir = join(path, 'logs');
  }

  /** @throws SetupError when another `npm start` holds it */
  static async claim(path: string, keeper: ProcessKeeper): Promise<DataFolder> {
    const folder = new DataFolder(path, join(path, 'npm-start.lock'));
    folder.create();
    await folder.lock(keeper);
    for (const name of readdirSync(path)) if (OURS.test(name)) makePrivate(join(path, name));
    return folder;
  }

  release(): void {
    rmSync(this.lockFile, { force: true });
  }

  private create(): void {
    try {
      mkdirSync(this.path, { recursive: true });
      // As root, PostgreSQL runs as another user, who must be able to pass through; all else here is for our own eyes.
      if (readdirSync(this.path).every((name) => OURS.test(name) || POSTGRES.test(name)))
        chmodSync(this.path, process.getuid?.() === 0 ? 0o711 : 0o700);
      mkdirSync(this.logsDir, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new SetupError(`the data folder ${this.path} cannot be made: ${(error as Error).message}\nSet DATA_DIR to another place.`);
    }
  }

  private async lock(keeper: ProcessKeeper): Promise<void> {
    const holders = [process.pid, keeper.reaperPid ?? 0].map((pid) => ({ pid, startedAt: startTime(pid) }));
    for (;;) {
      try {
        return writeFileSync(this.lockFile, JSON.stringify(holders), { mode: 0o600, flag: 'wx' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      await this.dropDeadLock();
    }
  }

  /** The reaper of a start that was killed may still be stopping its processes. */
  private async dropDeadLock(): Promise<void> {
    const [starter, reaper] = readJson<Holder[]>(this.lockFile) ?? [];
    if (starter !== undefined && isRunning(starter)) {
      throw new SetupError(
        `another npm start (process ${starter.pid}) is running on ${this.path}.\n` +
          'Stop it first, or set DATA_DIR and the ports to run a second one next to it.',
      );
    }
    if (reaper !== undefined && isRunning(reaper)) {
      console.log('waiting until the processes of an earlier start have stopped …');
      await until('they did not stop', async () => !isRunning(reaper) || undefined, { timeoutMs: PREDECESSOR_TIMEOUT_MS });
    }
    rmSync(this.lockFile, { force: true });
  }
}

function isRunning({ pid, startedAt }: Holder): boolean {
  return startedAt !== undefined && startTime(pid) === startedAt;
}

/** Undefined when no process has this pid. */
function startTime(pid: number): string | undefined {
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

/** Undefined when the file is missing or was cut short by a crash. */
export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
