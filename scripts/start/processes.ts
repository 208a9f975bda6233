import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { waitUntil } from './ports';
import { recordName } from './process-records';
import { projectRoot } from './project';
import { SetupError } from './setup-error';

const WATCHER = join(projectRoot, 'scripts', 'start', 'watcher.sh');

const MAX_LOG_LINES = 15;
/** PostgreSQL refuses connections while it recovers from a crash. */
const READY_TIMEOUT_MS = 60_000;

export interface ProcessOptions {
  /** Name in messages, such as "the worker". */
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Standard output and error are appended to this file. */
  logFile: string;
  /** Receives every line as well. Without it, the process writes to the file directly and does not depend on the manager. */
  onLine?: (line: string) => void;
  stopSignal?: NodeJS.Signals;
  /** Time to stop before it is killed. */
  graceMs?: number;
  /** Processes of a higher stage depend on lower stages and are stopped first. */
  stage?: 0 | 1 | 2;
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child process with a log file and an orderly stop. `ProcessManager.start` creates it. */
export class ManagedProcess {
  /** Resolves when the process has ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  private readonly endController = new AbortController();
  /** Aborts when the process has ended. The reason includes the last lines of its log. */
  readonly endSignal = this.endController.signal;
  stopRequested = false;

  constructor(
    readonly options: ProcessOptions,
    private readonly child: ChildProcess,
    readonly pid: number,
  ) {
    this.ended = new Promise((resolve) => {
      // 'close' follows the last line of output, which the description includes.
      child.once('close', (code, signal) => {
        this.endController.abort(new SetupError(this.describe({ code, signal })));
        resolve({ code, signal });
      });
    });
  }

  /** Asks the process to stop, kills it after its grace time, and returns when it has ended. */
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

  /** Repeats `attempt` until the process is ready. Stops the process if it does not become ready. @throws SetupError */
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
    const log = existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd() : '';
    const lines = log.split('\n').slice(-MAX_LOG_LINES).join('\n    ');
    const output = lines === '' ? 'It wrote no output.' : `Last lines of output:\n    ${lines}`;
    return `${name} ended ${signal === null ? `with code ${code}` : `by signal ${signal}`}. ${output}\nLog file: ${logFile}`;
  }
}

/** Folder of the process records, inside the manager's folder. */
export const recordsFolderOf = (folder: string): string => join(folder, 'npm-start.running');

/** Stops all recorded processes and waits for their end. Kills them after 20 seconds. */
export async function stopRecordedProcesses(recordsDir: string): Promise<void> {
  await once(spawn('/bin/sh', [WATCHER, recordsDir], { stdio: 'ignore' }), 'close');
}

/** Starts processes and stops them in order. If the manager is killed with SIGKILL, its watcher stops them. */
export class ProcessManager {
  private readonly watcher: ChildProcess;
  private readonly recordsDir: string;
  private readonly running = new Set<ManagedProcess>();
  private stopping: Promise<void> | undefined;
  private resolveCrashed: (process: ManagedProcess) => void = () => undefined;
  /** Resolves with the first process that ends without a stop request. */
  readonly crashed = new Promise<ManagedProcess>((resolve) => (this.resolveCrashed = resolve));

  /**
   * @param folder of the processes' files; the watcher removes a temporary one if the manager is killed before `stopAll`
   * @throws SetupError if the watcher cannot be started
   */
  constructor(folder: string, lifetime: 'permanent' | 'temporary') {
    this.recordsDir = recordsFolderOf(folder);
    mkdirSync(this.recordsDir, { recursive: true, mode: 0o700 });
    // Detached like all processes, so Ctrl-C reaches only the manager, which stops them stage by stage.
    const args = [WATCHER, this.recordsDir, ...(lifetime === 'temporary' ? [folder] : [])];
    this.watcher = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    this.watcher.on('error', () => undefined); // the check of the process id below reports it
    if (this.watcher.pid === undefined)
      throw new SetupError('/bin/sh cannot be started; it is needed to stop all processes if npm start is killed');
    this.watcher.unref();
  }

  /** @throws SetupError if the program cannot be started, or `stopAll` was called */
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

  /** Stops all processes, stage by stage, highest first. A second call waits for the first. */
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
