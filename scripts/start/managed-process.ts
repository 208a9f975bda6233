import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { processIdentity } from './process-identity';
import { SetupError } from './setup-error';

const LOG_ROTATES_AT_BYTES = 10 * 1024 * 1024;
const LAST_LINES = 15;

/** The part of ProcessKeeper that a process needs. */
interface Keeper {
  assertOpen(): void;
  started(process: ManagedProcess): void;
}

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
  /** Also hear every line as it comes. Without it the process writes to the file itself and does not depend on us. */
  onLine?: (line: string) => void;
  stopSignal?: NodeJS.Signals;
  /** How long it may take to stop before it is killed. */
  graceMs?: number;
  /** Parts of a higher stage depend on those below and are stopped before them. */
  stage?: number;
  keeper: Keeper;
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child process with a log file, an orderly stop, kept by a ProcessKeeper. */
export class ManagedProcess {
  readonly name: string;
  readonly logFile: string;
  readonly stage: number;
  readonly stopSignal: NodeJS.Signals;
  readonly graceMs: number;
  readonly pid: number;
  /** Tells this process from a later one with the same pid; see `processIdentity`. */
  readonly identity: string;
  /** Settles once, when the process has ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Aborted when the process has ended; lets a wait for its readiness give up at once. */
  readonly endSignal: AbortSignal;
  stopRequested = false;

  private constructor(
    private readonly child: ChildProcess,
    pid: number,
    options: ProcessOptions,
    private readonly logStart: number,
  ) {
    this.name = options.name;
    this.logFile = options.logFile;
    this.stage = options.stage ?? 0;
    this.stopSignal = options.stopSignal ?? 'SIGTERM';
    this.graceMs = options.graceMs ?? 10_000;
    this.pid = pid;
    this.identity = processIdentity(pid) ?? '';
    const end = new AbortController();
    this.endSignal = end.signal;
    this.ended = new Promise((resolve) => {
      // 'close' comes after the last line of its output, which a report of a crash needs.
      child.once('close', (code, signal) => {
        end.abort(new SetupError(`${this.name} ended early`));
        resolve({ code, signal });
      });
    });
    options.keeper.started(this);
  }

  /**
   * Starts a process in a group of its own: a Ctrl-C reaches only us, and we stop the parts one after the other.
   * @throws SetupError when the program cannot be started at all, or everything is being stopped
   */
  static async start(options: ProcessOptions): Promise<ManagedProcess> {
    options.keeper.assertOpen();
    rotate(options.logFile);
    const log = openSync(options.logFile, 'a', 0o600);
    const logStart = statSync(options.logFile).size;
    const output = options.onLine === undefined ? log : 'pipe';
    try {
      const child = spawn(options.command, options.args, {
        cwd: options.cwd,
        env: options.env ?? process.env,
        uid: options.uid,
        gid: options.gid,
        stdio: ['ignore', output, output],
        detached: true,
      });
      // Known to the keeper before anything is awaited: nothing can end us in between.
      if (child.pid === undefined) throw await startFailure(child, options);
      const started = new ManagedProcess(child, child.pid, options, logStart);
      if (options.onLine !== undefined) started.follow(options.onLine);
      return started;
    } finally {
      closeSync(log);
    }
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

  /** The last lines this run wrote, for the report of a crash. */
  lastLines(): string {
    if (!existsSync(this.logFile)) return '';
    const written = readFileSync(this.logFile).subarray(this.logStart).toString('utf8');
    return written.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
  }

  /** A crash in words: "the worker ended with code 1", its last lines, and where the rest is. */
  async describeEnd(): Promise<string> {
    const { code, signal } = await this.ended;
    const how = signal === null ? `with code ${code}` : `by signal ${signal}`;
    const lines = this.lastLines();
    const said = lines === '' ? 'It wrote nothing.' : `Its last lines:\n${indent(lines)}`;
    return `${this.name} ended ${how}. ${said}\nIts log file: ${this.logFile}`;
  }

  private follow(onLine: (line: string) => void): void {
    for (const output of [this.child.stdout, this.child.stderr]) {
      if (output === null) continue;
      createInterface({ input: output }).on('line', (line) => {
        appendFileSync(this.logFile, `${line}\n`);
        onLine(line);
      });
    }
  }
}

function startFailure(child: ChildProcess, options: ProcessOptions): Promise<SetupError> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(new SetupError(`${options.name} cannot be started from ${options.command}: ${error.message}`));
    });
  });
}

function rotate(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > LOG_ROTATES_AT_BYTES) renameSync(logFile, `${logFile}.1`);
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
