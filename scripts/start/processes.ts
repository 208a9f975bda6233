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
/** Long enough for PostgreSQL to recover from a crash, because it refuses connections until then. */
const READY_TIMEOUT_MS = 60_000;

export interface ProcessOptions {
  /** The name in messages, such as "the worker". */
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** The file to which standard output and standard error are appended. */
  logFile: string;
  /** Receives every line of the output. Without it, the process writes to the file itself, independently of its parent. */
  onLine?: (line: string) => void;
  stopSignal?: NodeJS.Signals;
  /** How long the process may take to stop before it is killed. */
  graceMs?: number;
  /** Processes of a higher stage depend on processes of lower stages, so they are stopped first. */
  stage?: 0 | 1 | 2;
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child process that `ProcessManager.start` started. It has a log file and can be stopped in an orderly way. */
export class ManagedProcess {
  /** Resolves when the process has ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  private readonly endController = new AbortController();
  /** Aborted when the process has ended. The reason contains the last lines of its log. */
  readonly endSignal = this.endController.signal;
  stopRequested = false;

  constructor(
    readonly options: ProcessOptions,
    private readonly child: ChildProcess,
    readonly pid: number,
  ) {
    this.ended = new Promise((resolve) => {
      // The event 'close' follows the last line of the output, which the error contains.
      child.once('close', (code, signal) => {
        this.endController.abort(new SetupError(this.describe({ code, signal })));
        resolve({ code, signal });
      });
    });
  }

  /** Asks the process to stop, kills it after its grace time, and resolves when it has ended. */
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

  /** Repeats `attempt` until the process is ready. Stops the process if it does not become ready in time. @throws SetupError */
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

/** The subfolder in which a `ProcessManager` records its running processes. `folder` is the manager's folder. */
export const recordsDirIn = (folder: string): string => join(folder, 'npm-start.running');

/** Stops the recorded processes. Processes that do not end within 20 seconds are killed. */
export async function stopRecordedProcesses(recordsDir: string): Promise<void> {
  await once(spawn('/bin/sh', [WATCHER, recordsDir], { stdio: 'ignore' }), 'close');
}

/** Starts processes and stops them in order. If this process is killed, the watcher stops them instead. */
export class ProcessManager {
  private readonly watcher: ChildProcess;
  private readonly recordsDir: string;
  private readonly running = new Set<ManagedProcess>();
  private stopping: Promise<void> | undefined;
  private resolveCrashed: (process: ManagedProcess) => void = () => undefined;
  /** Resolves with the first process that ends without a request to stop. */
  readonly crashed = new Promise<ManagedProcess>((resolve) => (this.resolveCrashed = resolve));

  /**
   * @param folder the folder of the processes' files; a temporary folder is removed if this process is killed before `stopAll`
   * @throws SetupError if the watcher cannot be started
   */
  constructor(folder: string, lifetime: 'permanent' | 'temporary') {
    this.recordsDir = recordsDirIn(folder);
    mkdirSync(this.recordsDir, { recursive: true, mode: 0o700 });
    // All child processes are detached, so that Ctrl-C reaches only this process, which then stops them stage by stage.
    const args = [WATCHER, this.recordsDir, ...(lifetime === 'temporary' ? [folder] : [])];
    this.watcher = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    this.watcher.on('error', () => undefined); // the watcher then has no process id, which the next line checks
    if (this.watcher.pid === undefined)
      throw new SetupError('/bin/sh cannot be started; it must stop the other processes if npm start is killed');
    this.watcher.unref();
  }

  /** @throws SetupError if the program cannot be started, or after a call of `stopAll` */
  async start(options: ProcessOptions): Promise<ManagedProcess> {
    if (this.stopping !== undefined) throw new SetupError('no process can be started, because npm start is stopping');
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

  /** Stops all processes, stage by stage from the highest. A second call waits for the first. */
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
