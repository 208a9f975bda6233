import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate, writePrivate } from '../../src/private-files';
import type { ManagedProcess } from './managed-process';
import { until } from './ports';
import { isRunning, processIdentity } from './process-identity';
import { SetupError } from './setup-error';

interface NotedProcess {
  name: string;
  pid: number;
  identity: string;
  stopSignal: NodeJS.Signals;
  stage: number;
}

const LEFTOVER_TIMEOUT_MS = 30_000;

/** What `npm start` and the processes keep in DATA_DIR. Whatever else lies there is somebody else's. */
const OURS = /^(admin-token|secrets|npm-start\.|postgres\.json|temporal\.db|logs$|outbox$|artwork$)/;
/** PostgreSQL's files and programs, with modes and perhaps an owner of their own. */
const POSTGRES = /^postgres(ql-|$|\.creating|\.password)/;

/**
 * DATA_DIR, held by one `npm start` at a time. Notes what runs on it, so that a start after a crash finds and stops
 * exactly those processes and no others.
 */
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
  static async claim(path: string): Promise<DataFolder> {
    const folder = new DataFolder(path);
    folder.create();
    folder.lock();
    try {
      folder.mendModes();
      await folder.stopLeftovers();
    } catch (error) {
      folder.release();
      throw error;
    }
    return folder;
  }

  noteParts(running: readonly ManagedProcess[]): void {
    const parts: NotedProcess[] = running.map(({ name, pid, identity, stopSignal, stage }) => ({ name, pid, identity, stopSignal, stage }));
    writeWhole(this.partsFile, parts);
  }

  release(): void {
    rmSync(this.partsFile, { force: true });
    rmSync(this.lockFile, { force: true });
  }

  private create(): void {
    try {
      mkdirSync(this.path, { recursive: true });
      // As root, PostgreSQL runs as another user, who must be able to pass through; all else here is for our own eyes.
      if (this.found().every((name) => OURS.test(name) || POSTGRES.test(name)))
        chmodSync(this.path, process.getuid?.() === 0 ? 0o711 : 0o700);
      mkdirSync(this.logsDir, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new SetupError(`the data folder ${this.path} cannot be made: ${(error as Error).message}\nSet DATA_DIR to another place.`);
    }
  }

  private found(): string[] {
    return readdirSync(this.path);
  }

  /** Also where an earlier version, a copy or a restore left it open to others. */
  private mendModes(): void {
    for (const name of this.found()) if (OURS.test(name)) makePrivate(join(this.path, name));
  }

  private lock(): void {
    const mine = `${this.lockFile}.${process.pid}`;
    writeFileSync(mine, JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) }), { mode: 0o600 });
    try {
      while (!linked(mine, this.lockFile)) this.dropDeadLock();
    } finally {
      rmSync(mine, { force: true });
    }
  }

  private dropDeadLock(): void {
    const holder = readJson<{ pid: number; identity: string }>(this.lockFile);
    if (holder !== undefined && isRunning(holder)) {
      throw new SetupError(
        `another npm start (process ${holder.pid}) is running on ${this.path}.\n` +
          'Stop it first, or set DATA_DIR and the ports to run a second one next to it.',
      );
    }
    rmSync(this.lockFile, { force: true });
  }

  /** A predecessor that was killed may have left its parts, or they may be in the middle of being stopped. */
  private async stopLeftovers(): Promise<void> {
    const noted = readJson<NotedProcess[]>(this.partsFile) ?? [];
    const leftovers = noted.filter(isRunning).sort((a, b) => b.stage - a.stage);
    for (const part of leftovers) {
      console.log(`stopping ${part.name} (process ${part.pid}), left over from an earlier start …`);
      await stopNoted(part);
    }
    rmSync(this.partsFile, { force: true });
  }
}

async function stopNoted(part: NotedProcess): Promise<void> {
  const gone = async () => (isRunning(part) ? undefined : true);
  send(part.pid, part.stopSignal);
  try {
    await until(`${part.name} did not stop`, gone, { timeoutMs: LEFTOVER_TIMEOUT_MS });
  } catch {
    send(part.pid, 'SIGKILL');
    await until(`${part.name} (process ${part.pid}) cannot be stopped`, gone, { timeoutMs: LEFTOVER_TIMEOUT_MS });
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}

/** Takes the lock file's name for a file that is already written: nobody ever reads half a lock. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
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

/** Readable by us only, and never half written. */
export function writeWhole(file: string, content: unknown): void {
  writePrivate(file, `${JSON.stringify(content, null, 2)}\n`);
}
