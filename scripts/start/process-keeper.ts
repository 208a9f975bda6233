import type { ManagedProcess } from './managed-process';
import { OrphanGuard } from './orphan-guard';
import { SetupError } from './setup-error';

/** Knows every process that was started here, from the moment it exists, and stops them in order. */
export class ProcessKeeper {
  private readonly guard = new OrphanGuard();
  private readonly running = new Set<ManagedProcess>();
  private stopping: Promise<void> | undefined;
  private reportCrash: (process: ManagedProcess) => void = () => undefined;
  /** Settles with the first process that ended without being asked to; never, if none does. */
  readonly crashed = new Promise<ManagedProcess>((resolve) => (this.reportCrash = resolve));

  /** @param onChange told after every start and end, with what runs now */
  constructor(private readonly onChange: (running: readonly ManagedProcess[]) => void = () => undefined) {}

  /** @throws SetupError when everything is being stopped: then nothing may be started any more */
  assertOpen(): void {
    if (this.stopping !== undefined) throw new SetupError('stopping');
  }

  /** Called by ManagedProcess as soon as the process exists. One that slips in while we stop is stopped too. */
  started(process: ManagedProcess): void {
    this.running.add(process);
    this.guard.watch(process);
    this.onChange([...this.running]);
    // oxlint-disable-next-line typescript/no-floating-promises -- it never rejects
    process.ended.then(() => this.ended(process));
    if (this.stopping !== undefined) {
      // oxlint-disable-next-line typescript/no-floating-promises -- `stopAll` waits for the end of every process
      process.stop();
    }
  }

  /** Have this folder removed should we die before `stopAll`. */
  removeIfWeDie(folder: string): void {
    this.guard.removeAtEnd(folder);
  }

  /** Stops everything, the highest stage first and one stage at a time. A second call waits for the first. */
  stopAll(): Promise<void> {
    this.stopping ??= this.stopStages();
    return this.stopping;
  }

  private async stopStages(): Promise<void> {
    while (this.running.size > 0) {
      const last = Math.max(...[...this.running].map((process) => process.stage));
      const stage = [...this.running].filter((process) => process.stage === last);
      await Promise.all(stage.map((process) => process.stop()));
      for (const process of stage) this.forget(process);
    }
    this.guard.dismiss();
  }

  private ended(process: ManagedProcess): void {
    if (!process.stopRequested) this.reportCrash(process);
    this.forget(process);
  }

  private forget(process: ManagedProcess): void {
    if (!this.running.delete(process)) return;
    this.guard.release(process.pid);
    this.onChange([...this.running]);
  }
}
