import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { waitUntil } from './ports';
import { recordName } from './process-records';
import { projectRoot } from './project';
import { SetupError } from './setup-error';

const WATCHER = join(projectRoot, 'scripts', 'start', 'watcher.sh');

const MAX_LOG_LINES = 15;
/** PostgreSQL may have to recover from a crash, and refuses connections meanwhile. */
const READY_TIMEOUT_MS = 60_000;

export interface ProcessOptions {
  /** As the person at the terminal reads it: "the worker". */
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Both outputs go here, appended. */
  logFile: string;
  /** Gets every line as well. Without it the process writes to the file itself and does not depend on us. */
  onLine?: (line: string) => void;
  stopSignal?: NodeJS.Signals;
  /** How long it may take to stop before it is killed. */
  graceMs?: number;
  /** Processes of a higher stage depend on those below and are stopped before them. */
  stage?: 0 | 1 | 2;
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child process with a log file and an orderly stop. `ProcessManager.start` makes it. */
export class ManagedProcess {
  /** Settles once, when the process has ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  private readonly endController = new AbortController();
  /** Aborted when the process has ended; the reason has its last lines. */
  readonly endSignal = this.endController.signal;
  stopRequested = false;

  constructor(
    readonly options: ProcessOptions,
    private readonly child: ChildProcess,
    readonly pid: number,
  ) {
    this.ended = new Promise((resolve) => {
      // 'close' comes after the last line of its output, which the description needs.
      child.once('close', (code, signal) => {
        this.endController.abort(new SetupError(this.describe({ code, signal })));
        resolve({ code, signal });
      });
    });
  }

  /** Asks the process to stop, kills it after its grace time, and returns when it is gone. */
  async stop(): Promise<void> {
    this.stopRequested = true;
    if (this.hasEnded()) return;
    this.child.kill(this.options.stopSignal);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), this.options.graceMs ?? 10_000);
    await this.ended;
    clearTimeout(timer);
  }

  hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Repeats `attempt` until the process is ready for work; otherwise it is stopped. @throws SetupError */
  async whenReady(attempt: () => Promise<true | undefined>): Promise<void> {
    try {
      await waitUntil(`${this.options.name} did not answer`, attempt, { timeoutMs: READY_TIMEOUT_MS, signal: this.endSignal });
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  private describe({ code, signal }: ProcessEnd): string {
    const { name, logFile } = this.options;
    const lines = readEnd(logFile).trimEnd().split('\n').slice(-MAX_LOG_LINES).join('\n    ');
    const output = lines === '' ? 'It wrote nothing.' : `Its last lines:\n    ${lines}`;
    return `${name} ended ${signal === null ? `with code ${code}` : `by signal ${signal}`}. ${output}\nIts log file: ${logFile}`;
  }
}

/** The last 16 KiB of a file, which may be huge; empty if it cannot be read. */
function readEnd(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const end = Buffer.alloc(Math.min(size, 16_384));
      readSync(file, end, 0, end.length, size - end.length);
      return end.toString();
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** Below the folder of a manager's files. */
export const recordsFolderOf = (folder: string): string => join(folder, 'npm-start.running');

/** Stops what is recorded there; returns when it has ended, or was killed after 20 seconds. */
export async function stopRecordedProcesses(recordsDir: string): Promise<void> {
  await once(spawn('/bin/sh', [WATCHER, recordsDir], { stdio: 'ignore' }), 'close');
}

/** Starts processes and stops them in order. The watcher does so instead if we are killed with -9. */
export class ProcessManager {
  private readonly watcher: ChildProcess;
  private readonly recordsDir: string;
  private readonly running = new Set<ManagedProcess>();
  private stopping: Promise<void> | undefined;
  private resolveCrashed: (process: ManagedProcess) => void = () => undefined;
  /** Settles with the first process that ended without being asked to; never, if none does. */
  readonly crashed = new Promise<ManagedProcess>((resolve) => (this.resolveCrashed = resolve));

  /**
   * @param folder of the processes' files; a temporary one is removed should we die before `stopAll`
   * @throws SetupError without a watcher
   */
  constructor(folder: string, lifetime: 'permanent' | 'temporary') {
    this.recordsDir = recordsFolderOf(folder);
    mkdirSync(this.recordsDir, { recursive: true, mode: 0o700 });
    // Detached, as all processes are: a Ctrl-C reaches only us, and we stop them one stage after the other.
    const args = [WATCHER, this.recordsDir, ...(lifetime === 'temporary' ? [folder] : [])];
    this.watcher = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    this.watcher.on('error', () => undefined); // without a process id, which is checked
    if (this.watcher.pid === undefined) throw new SetupError('/bin/sh cannot be started; it stops everything if npm start is killed');
    this.watcher.unref();
  }

  /** @throws SetupError when the program cannot be started, or everything is being stopped */
  async start(options: ProcessOptions): Promise<ManagedProcess> {
    if (this.stopping !== undefined) throw new SetupError('stopping');
    const { name, command, args, env = process.env, cwd, uid, gid, logFile, onLine } = options;
    const log = openSync(logFile, 'a', 0o600);
    const output = onLine === undefined ? log : 'pipe';
    const child = spawn(command, args, { cwd, env, uid, gid, stdio: ['ignore', output, output], detached: true });
    closeSync(log);
    if (child.pid === undefined) {
      const [error] = (await once(child, 'error')) as [Error];
      throw new SetupError(`${name} cannot be started from ${command}: ${error.message}`);
    }
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null)
        createInterface({ input: stream }).on('line', (line) => {
          appendFileSync(logFile, `${line}\n`);
          onLine?.(line);
        });
    const started = new ManagedProcess(options, child, child.pid);
    this.running.add(started);
    const record = join(this.recordsDir, recordName(started.pid, options.stopSignal ?? 'SIGTERM'));
    writeFileSync(record, '');
    // oxlint-disable-next-line typescript/no-floating-promises -- it never rejects
    started.ended.then(() => {
      if (!started.stopRequested) this.resolveCrashed(started);
      this.running.delete(started);
      rmSync(record, { force: true });
    });
    return started;
  }

  /** Stops everything, the highest stage first and one stage at a time. A second call waits for the first. */
  stopAll(): Promise<void> {
    this.stopping ??= this.stopStages();
    return this.stopping;
  }

  private async stopStages(): Promise<void> {
    for (const currentStage of [2, 1, 0]) {
      const processes = [...this.running].filter(({ options: { stage = 0 } }) => stage === currentStage);
      await Promise.all(processes.map((process) => process.stop()));
    }
    this.watcher.kill();
  }
}
