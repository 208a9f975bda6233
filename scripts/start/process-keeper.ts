import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ManagedProcess, type ProcessOptions } from './managed-process';
import { projectRoot } from './project';
import { SetupError } from './setup-error';

/** The program that stops the processes it reads as JSON from its input when the input ends. */
export const REAPER = join(projectRoot, 'scripts', 'start', 'reaper.cjs');

/** How to stop a process. */
export type KeptProcess = Pick<ManagedProcess, 'pid' | 'stage' | 'stopSignal' | 'graceMs'>;

/**
 * Starts processes and stops them in order. A process that is killed with -9 cannot clean up after itself: the reaper
 * (`scripts/start/reaper.cjs`) holds a pipe to us, and does it when that pipe closes.
 */
export class ProcessKeeper {
  private readonly reaper = spawn(process.execPath, [REAPER], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  private readonly running = new Set<ManagedProcess>();
  private folder: string | undefined;
  private stopping: Promise<void> | undefined;
  /** Called with the running processes after each start and end. */
  onChange: (running: readonly KeptProcess[]) => void = () => undefined;
  private reportCrash: (process: ManagedProcess) => void = () => undefined;
  /** Settles with the first process that ended without being asked to; never, if none does. */
  readonly crashed = new Promise<ManagedProcess>((resolve) => (this.reportCrash = resolve));

  constructor() {
    // Somebody may kill the reaper. Our own orderly stop does not need it.
    this.reaper.stdin.on('error', () => undefined);
    this.reaper.on('error', () => undefined);
    this.reaper.unref();
  }

  get reaperPid(): number | undefined {
    return this.reaper.pid;
  }

  /** @throws SetupError when the program cannot be started, or everything is being stopped */
  async start(options: ProcessOptions): Promise<ManagedProcess> {
    if (this.stopping !== undefined) throw new SetupError('stopping');
    return ManagedProcess.start(options, (started) => {
      this.running.add(started);
      this.tellReaper();
      // oxlint-disable-next-line typescript/no-floating-promises -- it never rejects
      started.ended.then(() => {
        if (!started.stopRequested) this.reportCrash(started);
        this.running.delete(started);
        this.tellReaper();
      });
    });
  }

  /** Has this folder removed should we die before `stopAll`. */
  removeIfWeDie(folder: string): void {
    this.folder = folder;
    this.tellReaper();
  }

  /** Stops everything, the highest stage first and one stage at a time. A second call waits for the first. */
  stopAll(): Promise<void> {
    this.stopping ??= this.stopStages();
    return this.stopping;
  }

  private async stopStages(): Promise<void> {
    while (this.running.size > 0) {
      const last = Math.max(...[...this.running].map(({ stage }) => stage));
      const stopped = [...this.running].filter(({ stage }) => stage === last);
      await Promise.all(stopped.map((process) => process.stop()));
      for (const process of stopped) this.running.delete(process);
    }
    this.folder = undefined;
    this.tellReaper();
    this.reaper.stdin.end();
  }

  private tellReaper(): void {
    const processes = [...this.running].map(({ pid, stage, stopSignal, graceMs }): KeptProcess => ({ pid, stage, stopSignal, graceMs }));
    this.onChange(processes);
    if (this.reaper.stdin.writable) this.reaper.stdin.write(`${JSON.stringify({ processes, folder: this.folder })}\n`);
  }
}
