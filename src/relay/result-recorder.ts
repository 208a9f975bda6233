import type { Database } from '../db/database';
import type { Clock } from '../platform/clock';
import { recordResults, type AttemptResult } from '../db/repositories/relay';
import type { DeliveryState } from '../domain/webhook-rules';
import { Batch } from '../runtime/batch';
import type { Logger } from '../platform/logger';

/** Limits of one batch: time in ms and number of results. Both are small, because a killed relay's unrecorded attempts are repeated. */
const BATCH_DELAY_MS = 20;
const MAX_BATCH_SIZE = 50;
const RETRY_DELAY_MS = 250;
/** A result is dropped if it could not be stored for this time, ms. Its row is locked, or was lost when a backup was restored. */
const RECORD_TIMEOUT_MS = 60_000;

interface PendingResult {
  result: AttemptResult;
  sinceMs: number;
}

interface ResultRecorderDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
}

/** Records the results of attempts in concurrent batches. */
export class ResultRecorder {
  private readonly batch = new Batch<PendingResult>((results) => this.store(results), BATCH_DELAY_MS, MAX_BATCH_SIZE);

  /** @param onRecorded called for every stored result with the delivery's state; `state` is null if the result came after the lease */
  constructor(
    private readonly deps: ResultRecorderDeps,
    private readonly onRecorded: (result: AttemptResult, state: DeliveryState | null) => void,
  ) {}

  add(result: AttemptResult): void {
    this.batch.add({ result, sinceMs: performance.now() });
  }

  get pendingCount(): number {
    return this.batch.pendingCount;
  }

  /** Stores pending results once. If the database does not answer, their attempts are repeated. */
  close(): Promise<void> {
    return this.batch.close();
  }

  /**
   * Results whose rows are locked, and results of a failed batch, are stored in a later batch. A result that comes after the lease is only
   * logged.
   */
  private async store(results: PendingResult[]): Promise<void> {
    try {
      const states = await recordResults(
        this.deps.database,
        results.map(({ result }) => result),
        this.deps.clock.now(),
      );
      for (const pending of results) {
        const state = states.get(pending.result.deliveryId);
        if (state === undefined) this.retryLater(pending);
        else this.onRecorded(pending.result, state);
      }
    } catch (error) {
      this.deps.logger.warn({ err: error, results: results.length }, 'recording results of webhook attempts failed; it will be retried');
      for (const pending of results) this.retryLater(pending);
    }
  }

  private retryLater(pending: PendingResult): void {
    if (performance.now() - pending.sinceMs > RECORD_TIMEOUT_MS) {
      this.deps.logger.warn(
        { deliveryId: pending.result.deliveryId },
        'the result of a webhook attempt was not recorded; the attempt will be repeated',
      );
      return;
    }
    this.batch.addLater(pending, RETRY_DELAY_MS);
  }
}
