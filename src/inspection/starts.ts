import { claimInspections } from '../db/repositories/inspections';
import type { Database } from '../db/database';
import type { Logger } from '../logger';
import { Poller } from '../runtime/poller';
import { ProcessHeartbeat } from '../runtime/process-heartbeat';
import type { ArtworkStorage } from '../storage';
import type { Temporal } from '../temporal';

const POLL_MS = 500;
/** Started at a time. One is inspected at a time, and the others wait in Temporal. */
const BATCH = 20;

export interface InspectionStartsDeps {
  database: Database;
  logger: Logger;
  storage: Pick<ArtworkStorage, 'isAtHand'>;
  temporal: Pick<Temporal, 'artwork' | 'breaker'>;
}

/**
 * Starts a workflow for each upload whose inspection is due. The transaction that makes an inspection due marks the upload's row, so none is
 * lost with a process (ruling 60).
 */
export class InspectionStarts {
  private readonly poller: Poller;
  private readonly heartbeat: ProcessHeartbeat;

  constructor(private readonly deps: InspectionStartsDeps) {
    this.heartbeat = new ProcessHeartbeat(deps, 'inspector');
    this.poller = new Poller(() => this.startDue(), {
      everyMs: () => POLL_MS,
      onError: (error) => deps.logger.warn({ err: error }, 'inspections due could not be started'),
    });
  }

  start(): void {
    this.poller.start();
    this.heartbeat.start();
  }

  async stop(): Promise<void> {
    await this.poller.stop();
    await this.heartbeat.stop();
  }

  /** @returns true when more may be due. One that could not be started is claimed again later. */
  private async startDue(): Promise<boolean> {
    const { database, storage, temporal } = this.deps;
    if (temporal.breaker.isOpen || !(await storage.isAtHand())) return false;
    const due = await claimInspections(database, BATCH);
    for (const uploadId of due) await temporal.artwork.inspect(uploadId);
    return due.length === BATCH;
  }
}
