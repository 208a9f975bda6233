import type { Database } from '../db/database';
import { deleteProcess, recordProcess, type ProcessKind } from '../db/repositories/processes';
import type { Logger } from '../platform/logger';
import { newId } from '../security/ids';

const INTERVAL_MS = 5_000;

/** Updates this process's row in `processes`, from which `/readyz` knows that a process of its kind is running. */
export class ProcessHeartbeat {
  private readonly id = newId('req');
  private timer: NodeJS.Timeout | null = null;
  private recording: Promise<void> | null = null;

  constructor(
    private readonly deps: { database: Database; logger: Logger },
    private readonly kind: ProcessKind,
  ) {}

  start(): void {
    this.recordHeartbeat();
    this.timer = setInterval(() => this.recordHeartbeat(), INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.recording; // would add the row again
    await deleteProcess(this.deps.database, this.id).catch(() => undefined);
  }

  private recordHeartbeat(): void {
    // One at a time, so that none is stored after `stop`.
    this.recording ??= recordProcess(this.deps.database, this.id, this.kind)
      .catch((error: unknown) => this.deps.logger.warn({ err: error }, `storing the heartbeat of the ${this.kind} failed`))
      .finally(() => (this.recording = null));
  }
}
