import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from './project';

export interface WatchedProcess {
  pid: number;
  /** The highest stage is stopped first. */
  stage: number;
  stopSignal: NodeJS.Signals;
  graceMs: number;
}

/**
 * Leaves nothing running behind us, however we end. A process that is killed with -9 cannot clean up after itself, so a
 * small helper (`scripts/start/reaper.cjs`) holds a pipe to us and does it when that pipe closes.
 */
export class OrphanGuard {
  private readonly reaper: ChildProcess;

  constructor() {
    this.reaper = spawn(process.execPath, [join(projectRoot, 'scripts', 'start', 'reaper.cjs')], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    // A broken pipe means that somebody killed the helper; our own orderly stop does not need it.
    this.reaper.stdin?.on('error', () => undefined);
    this.reaper.on('error', () => undefined);
    this.reaper.unref();
  }

  watch({ pid, stage, stopSignal, graceMs }: WatchedProcess): void {
    this.tell({ watch: { pid, stage, stopSignal, graceMs } });
  }

  release(pid: number): void {
    this.tell({ release: pid });
  }

  /** Have this folder removed when we die without `dismiss`. */
  removeAtEnd(folder: string): void {
    this.tell({ remove: folder });
  }

  /** Everything has been stopped and removed in order. */
  dismiss(): void {
    this.tell({ dismiss: true });
    this.reaper.stdin?.end();
  }

  private tell(message: object): void {
    if (this.reaper.stdin?.writable === true) this.reaper.stdin.write(`${JSON.stringify(message)}\n`);
  }
}
