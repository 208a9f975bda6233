import { claimInspection, releaseInspection } from '../db/repositories/inspections';
import type { Database } from '../db/database';
import { MINUTE_MS } from '../domain/duration';
import type { Logger } from '../logger';
import { Poller } from '../runtime/poller';
import { ProcessHeartbeat } from '../runtime/process-heartbeat';
import type { ArtworkStorage } from '../storage';
import type { Temporal } from '../temporal';

const POLL_MS = 500;
/** Pictures that one process inspects at the same time, of different accounts: a large picture delays only its own account. */
export const INSPECTIONS_AT_ONCE = 2;
/** After this time, ms, another account's picture may start. Longer than any inspection may take. */
const PATIENCE_MS = 5 * MINUTE_MS;

export interface InspectionStartsDeps {
  database: Database;
  logger: Logger;
  storage: Pick<ArtworkStorage, 'isAtHand'>;
  temporal: Pick<Temporal, 'artwork' | 'breaker'>;
}

/**
 * Starts a workflow for each upload whose inspection is due, as fast as they end: accounts wait for their turn in the database, where they
 * are compared. The transaction that makes an inspection due marks the upload's row, so none is lost with a process (ruling 60).
 */
export class InspectionStarts {
  private readonly poller: Poller;
  private readonly heartbeat: ProcessHeartbeat;
  private readonly busyAccounts = new Set<string>();
  private readonly stopping = new AbortController();

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
    this.stopping.abort();
    await this.poller.stop();
    await this.heartbeat.stop();
  }

  /** @returns true if more inspections may be due and a place is free */
  private async startDue(): Promise<boolean> {
    const { database, storage, temporal } = this.deps;
    if (this.busyAccounts.size >= INSPECTIONS_AT_ONCE || temporal.breaker.isOpen || !(await storage.isAtHand())) return false;
    const due = await claimInspection(database, [...this.busyAccounts]);
    if (due === null) return false;
    try {
      await temporal.artwork.inspect(due.id);
    } catch (error) {
      await releaseInspection(database, due.id);
      throw error;
    }
    this.busyAccounts.add(due.account_id);
    this.untilEnded(due.id).then(
      () => this.giveUpPlace(due.account_id),
      () => this.giveUpPlace(due.account_id),
    );
    return true;
  }

  private untilEnded(uploadId: string): Promise<void> {
    const stop = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(PATIENCE_MS)]);
    return this.deps.temporal.artwork.untilInspected(uploadId, stop);
  }

  /** Frees the account: this process may now inspect another picture of it. */
  private giveUpPlace(accountId: string): void {
    this.busyAccounts.delete(accountId);
    this.poller.pollNow();
  }
}
