import { claimInspection, releaseInspection } from '../db/repositories/inspections';
import type { Database } from '../db/database';
import { MAX_INSPECTION_MS } from '../domain/inspection';
import type { Logger } from '../platform/logger';
import { Deadline } from '../runtime/deadline';
import { Poller } from '../runtime/poller';
import { ProcessHeartbeat } from '../runtime/process-heartbeat';
import type { ArtworkStorage } from '../storage';
import type { Temporal } from '../temporal';

const POLL_INTERVAL_MS = 500;
/** Concurrent inspections of one process, each of another account. A large picture delays only its own account. */
export const MAX_CONCURRENT_INSPECTIONS = 2;

export interface InspectionStarterDeps {
  database: Database;
  logger: Logger;
  storage: Pick<ArtworkStorage, 'isAvailable'>;
  temporal: Pick<Temporal, 'artwork' | 'breaker'>;
}

/**
 * Starts a workflow for each due inspection as soon as a running one has ended. The database selects the next upload and shares the
 * capacity fairly between accounts. The upload's row records a due inspection, so a crash loses none.
 */
export class InspectionStarter {
  private readonly poller: Poller;
  private readonly heartbeat: ProcessHeartbeat;
  private readonly busyAccounts = new Set<string>();
  private readonly abortController = new AbortController();

  /** @param maxInspectionMs after this time an inspection counts as ended */
  constructor(
    private readonly deps: InspectionStarterDeps,
    private readonly maxInspectionMs = MAX_INSPECTION_MS,
  ) {
    this.heartbeat = new ProcessHeartbeat(deps, 'inspector');
    this.poller = new Poller(() => this.startDue(), {
      intervalMs: () => POLL_INTERVAL_MS,
      onError: (error) => deps.logger.warn({ err: error }, 'starting due inspections failed'),
    });
  }

  start(): void {
    this.poller.start();
    this.heartbeat.start();
  }

  async stop(): Promise<void> {
    this.abortController.abort();
    await this.poller.stop();
    await this.heartbeat.stop();
  }

  /** @returns true if more inspections may be due and there is capacity */
  private async startDue(): Promise<boolean> {
    const { database, logger, storage, temporal } = this.deps;
    if (this.busyAccounts.size >= MAX_CONCURRENT_INSPECTIONS || temporal.breaker.isOpen || !(await storage.isAvailable())) return false;
    const due = await claimInspection(database, [...this.busyAccounts]);
    if (due === null) return false;
    let hasStarted: boolean;
    try {
      hasStarted = await temporal.artwork.startInspection(due.id);
    } catch (error) {
      await releaseInspection(database, due.id);
      throw error;
    }
    if (hasStarted) this.busyAccounts.add(due.account_id);
    this.waitUntilEnded(due.id)
      .then(() => (hasStarted ? this.releaseAccount(due.account_id) : this.releaseClaim(due.id)))
      .catch((error: unknown) => logger.warn({ err: error }, 'releasing the claim on an inspection failed'));
    return true;
  }

  private async waitUntilEnded(uploadId: string): Promise<void> {
    const deadline = new Deadline([this.abortController.signal], this.maxInspectionMs);
    try {
      await this.deps.temporal.artwork.waitForInspection(uploadId, deadline.signal);
    } finally {
      deadline.release();
    }
  }

  /** An inspection that was already running has ended. If it did not inspect the newest file, another one starts. */
  private async releaseClaim(uploadId: string): Promise<void> {
    await releaseInspection(this.deps.database, uploadId);
    this.poller.pollNow();
  }

  /** Allows the next inspection of this account. */
  private releaseAccount(accountId: string): void {
    this.busyAccounts.delete(accountId);
    this.poller.pollNow();
  }
}
