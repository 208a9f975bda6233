import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate, writePrivate } from '../../src/private-files';
import { until } from './ports';
import { REAPER, type KeptProcess, type ProcessKeeper } from './process-keeper';
import { SetupError } from './setup-error';

const PREDECESSOR_TIMEOUT_MS = 60_000;
/** For processes that got SIGKILL. */
const KILLED_TIMEOUT_MS = 5_000;

/** What `npm start` and the processes keep in DATA_DIR. Whatever else lies there is somebody else's. */
const OURS = /^(admin-token|secrets|npm-start\.|postgres\.json|temporal\.db|logs$|outbox$|artwork$)/;
/** PostgreSQL's files and programs, with modes and perhaps an owner of their own. */
const POSTGRES = /^postgres(ql-|$|\.creating|\.password)/;

/** The identity tells a process from another one that gets its pid later. */
interface Holder {
  pid: number;
  identity: string | undefined;
}

type Part = Holder & KeptProcess;

/** DATA_DIR, held by one `npm start` at a time. Notes which processes run on it, so the next start stops those that a crash left. */
export class DataFolder {
  readonly logsDir: string;
  private readonly lockFile: string;
  private readonly partsFile: string;

  private constructor(readonly path: string) {
    this.logsDir = join(path, 'logs');
    this.lockFile = join(path, 'npm-start.lock');
    this.partsFile = join(path, 'npm-start.parts.json');
  }

  /** @throws SetupError when another `npm start` holds it */
  static async claim(path: string, keeper: ProcessKeeper): Promise<DataFolder> {
    const folder = new DataFolder(path);
    folder.create();
    await folder.lock(keeper);
    try {
      for (const name of readdirSync(path)) if (OURS.test(name)) makePrivate(join(path, name));
      await folder.stopLeftovers();
    } catch (error) {
      folder.release();
      throw error;
    }
    keeper.onChange = (running) => folder.noteParts(running);
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
    const holders = [process.pid, keeper.reaperPid ?? 0].map((pid): Holder => ({ pid, identity: processIdentity(pid) }));
    const mine = `${this.lockFile}.${process.pid}`;
    writeFileSync(mine, JSON.stringify(holders), { mode: 0o600 });
    try {
      while (!isLinked(mine, this.lockFile)) await this.dropDeadLock();
    } finally {
      rmSync(mine, { force: true });
    }
  }

  /** The reaper of a start that was killed may still be stopping its processes. */
  private async dropDeadLock(): Promise<void> {
    // An earlier version stored the starter alone.
    const [starter, reaper] = [readJson<Holder | Holder[]>(this.lockFile) ?? []].flat();
    if (starter !== undefined && isRunning(starter)) {
      throw new SetupError(
        `another npm start (process ${starter.pid}) is running on ${this.path}.\n` +
          'Stop it first, or set DATA_DIR and the ports to run a second one next to it.',
      );
    }
    if (reaper !== undefined && isRunning(reaper)) {
      console.log('waiting until the processes of an earlier start have stopped …');
      await whenEnded([reaper], PREDECESSOR_TIMEOUT_MS);
    }
    rmSync(this.lockFile, { force: true });
  }

  private noteParts(running: readonly KeptProcess[]): void {
    if (running.length === 0) return rmSync(this.partsFile, { force: true });
    const parts = running.map((part): Part => ({ ...part, identity: processIdentity(part.pid) }));
    writePrivate(this.partsFile, JSON.stringify(parts));
  }

  /** Stops the processes of an earlier start that was killed together with its reaper. */
  private async stopLeftovers(): Promise<void> {
    const leftovers = (readJson<Part[]>(this.partsFile) ?? []).filter(isRunning);
    if (leftovers.length > 0) {
      console.log(`stopping what an earlier start left running (processes ${pidsOf(leftovers, ', ')}) …`);
      spawnSync(process.execPath, [REAPER], { input: `${JSON.stringify({ processes: leftovers })}\n` });
      await whenEnded(leftovers, KILLED_TIMEOUT_MS);
    }
    rmSync(this.partsFile, { force: true });
  }
}

/** @throws SetupError that says how to end the processes */
async function whenEnded(processes: readonly Holder[], timeoutMs: number): Promise<void> {
  try {
    await until('they did not stop', async () => processes.every((process) => !isRunning(process)) || undefined, { timeoutMs });
  } catch {
    const running = processes.filter(isRunning);
    throw new SetupError(
      `an earlier start left processes that do not stop (${pidsOf(running, ', ')}).\n` +
        `Run: kill -9 ${pidsOf(running, ' ')}   Then start again.`,
    );
  }
}

function pidsOf(processes: readonly Holder[], separator: string): string {
  return processes.map(({ pid }) => pid).join(separator);
}

/** Gives a file that is already written a second name, so nobody reads half a lock. @returns false where the name is taken */
function isLinked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isRunning({ pid, identity }: Holder): boolean {
  return identity !== undefined && processIdentity(pid) === identity;
}

/** Undefined when no process has this pid. */
function processIdentity(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    // The command's name in parentheses may hold blanks; the fields after it do not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return fields[0] === 'Z' ? undefined : `${bootId}/${fields[19]}`;
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
