import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { SetupError } from './setup-error';

const LOG_ROTATES_AT_BYTES = 10 * 1024 * 1024;
const LAST_LINES = 15;

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
  stage?: number;
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child process with a log file and an orderly stop. `ProcessKeeper.start` makes it. */
export class ManagedProcess {
  readonly name: string;
  readonly logFile: string;
  readonly stage: number;
  readonly stopSignal: NodeJS.Signals;
  readonly graceMs: number;
  /** Settles once, when the process has ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Aborted when the process has ended; lets a wait for its readiness give up at once. */
  readonly endSignal: AbortSignal;
  stopRequested = false;

  private constructor(
    private readonly child: ChildProcess,
    readonly pid: number,
    { name, logFile, stage = 0, stopSignal = 'SIGTERM', graceMs = 10_000 }: ProcessOptions,
    private readonly logStart: number,
  ) {
    this.name = name;
    this.logFile = logFile;
    this.stage = stage;
    this.stopSignal = stopSignal;
    this.graceMs = graceMs;
    const end = new AbortController();
    this.endSignal = end.signal;
    this.ended = new Promise((resolve) => {
      // 'close' comes after the last line of its output, which a report of a crash needs.
      child.once('close', (code, signal) => {
        end.abort(new SetupError(`${name} ended early`));
        resolve({ code, signal });
      });
    });
  }

  /**
   * Starts a process in a group of its own: a Ctrl-C reaches only us, and we stop the processes one after the other.
   * @param onStart called before anything is awaited: nothing can end us in between
   * @throws SetupError when the program cannot be started at all
   */
  static async start(options: ProcessOptions, onStart: (process: ManagedProcess) => void): Promise<ManagedProcess> {
    const { name, command, args, env = process.env, cwd, uid, gid, logFile, onLine } = options;
    if (existsSync(logFile) && statSync(logFile).size > LOG_ROTATES_AT_BYTES) renameSync(logFile, `${logFile}.1`);
    const log = openSync(logFile, 'a', 0o600);
    const logStart = statSync(logFile).size;
    const output = onLine === undefined ? log : 'pipe';
    const child = spawn(command, args, { cwd, env, uid, gid, stdio: ['ignore', output, output], detached: true });
    closeSync(log);
    if (child.pid === undefined) {
      const [error] = (await once(child, 'error')) as [Error];
      throw new SetupError(`${name} cannot be started from ${command}: ${error.message}`);
    }
    const started = new ManagedProcess(child, child.pid, options, logStart);
    onStart(started);
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null)
        createInterface({ input: stream }).on('line', (line) => {
          appendFileSync(logFile, `${line}\n`);
          onLine?.(line);
        });
    return started;
  }

  /** Asks the process to stop, kills it after its grace time, and returns when it is gone. */
  async stop(): Promise<void> {
    this.stopRequested = true;
    if (this.hasEnded()) return;
    this.child.kill(this.stopSignal);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), this.graceMs);
    await this.ended;
    clearTimeout(timer);
  }

  hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /**
   * Waits until the process is ready for work.
   * @throws SetupError with its last lines when it ends; another failure stops it
   */
  async whenReady(ready: Promise<unknown>): Promise<void> {
    try {
      await ready;
    } catch (error) {
      if (this.hasEnded()) throw new SetupError(await this.describeEnd());
      await this.stop();
      throw error;
    }
  }

  /** A crash in words: "the worker ended with code 1", its last lines, and where the rest is. */
  async describeEnd(): Promise<string> {
    const { code, signal } = await this.ended;
    const how = signal === null ? `with code ${code}` : `by signal ${signal}`;
    const log = existsSync(this.logFile) ? readFileSync(this.logFile) : Buffer.alloc(0); // somebody may have deleted it
    const written = log.subarray(this.logStart).toString('utf8').trimEnd();
    const lines = written.split('\n').slice(-LAST_LINES).join('\n    ');
    const said = written === '' ? 'It wrote nothing.' : `Its last lines:\n    ${lines}`;
    return `${this.name} ended ${how}. ${said}\nIts log file: ${this.logFile}`;
  }
}
