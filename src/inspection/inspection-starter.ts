import { claimInspection, releaseInspection } from '../db/repositories/inspections';
import type { Database } from '../db/database';
import { MINUTE_MS } from '../domain/duration';
import type { Logger } from '../logger';
import { Deadline } from '../runtime/deadline';
import { Poller } from '../runtime/poller';
import { ProcessHeartbeat } from '../runtime/process-heartbeat';
import type { ArtworkStorage } from '../storage';
import type { Temporal } from '../temporal';

const POLL_INTERVAL_MS = 500;
/** Concurrent inspections of one process, each of another account. A large picture delays only its own account. */
export const MAX_CONCURRENT_INSPECTIONS = 2;
/** An inspection counts as ended after this time, ms. Inspections take less time. */
const MAX_WAIT_MS = 5 * MINUTE_MS;

export interface InspectionStarterDeps {
  database: Database;
  logger: Logger;
  storage: Pick<ArtworkStorage, 'isAvailable'>;
  temporal: Pick<Temporal, 'artwork' | 'breaker'>;
}

/**
 * Starts a workflow for each due inspection as soon as a running one has ended. The database selects the next upload and shares the
 * capacity fairly between accounts. The upload's row records a due inspection, so a crash loses none (ruling 60).
 */
export class InspectionStarter {
  private readonly poller: Poller;
  private readonly heartbeat: ProcessHeartbeat;
  private readonly busyAccounts = new Set<string>();
  private readonly abortController = new AbortController();

  constructor(private readonly deps: InspectionStarterDeps) {
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
    const { database, storage, temporal } = this.deps;
    if (this.busyAccounts.size >= MAX_CONCURRENT_INSPECTIONS || temporal.breaker.isOpen || !(await storage.isAvailable())) return false;
    const due = await claimInspection(database, [...this.busyAccounts]);
    if (due === null) return false;
    try {
      await temporal.artwork.startInspection(due.id);
    } catch (error) {
      await releaseInspection(database, due.id);
      throw error;
    }
    this.busyAccounts.add(due.account_id);
    this.waitUntilEnded(due.id).then(
      () => this.releaseAccount(due.account_id),
      () => this.releaseAccount(due.account_id),
    );
    return true;
  }

  private waitUntilEnded(uploadId: string): Promise<void> {
    const deadline = new Deadline([this.abortController.signal], MAX_WAIT_MS);
    return this.deps.temporal.artwork.waitForInspection(uploadId, deadline.signal).finally(() => deadline.release());
  }

  /** Allows the next inspection of this account. */
  private releaseAccount(accountId: string): void {
    this.busyAccounts.delete(accountId);
    this.poller.pollNow();
  }
}
