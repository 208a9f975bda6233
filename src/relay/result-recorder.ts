import type { Database } from '../db/database';
import type { Clock } from '../clock';
import { recordResults, type AttemptResult } from '../db/repositories/relay';
import type { DeliveryState } from '../domain/webhook-rules';
import { Batch } from '../runtime/batch';
import type { Logger } from '../logger';

/** Results of this time, ms, are recorded together, at most so many. A killed relay's unrecorded ones are sent again, so both are small. */
const BATCH_DELAY_MS = 20;
const MAX_BATCH_SIZE = 50;
const RETRY_DELAY_MS = 250;
/** A result is given up when its row stays locked for longer than this, ms, or is gone because a backup was restored. */
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

/** Records what came of attempts, in batches that never wait for a slow one. */
export class ResultRecorder {
  private readonly batch = new Batch<PendingResult>((results) => this.store(results), BATCH_DELAY_MS, MAX_BATCH_SIZE);

  /** @param onRecorded told of every result that is stored, with the delivery's state; null where it came too late to count */
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

  /** Stores what is there; gives up on a database that does not answer: those attempts are made again. */
  close(): Promise<void> {
    return this.batch.close();
  }

  /** What is locked just now, or cannot be stored, comes with a later batch; after its lease it no longer counts, and is only logged. */
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
      this.deps.logger.warn({ err: error, results: results.length }, 'results of webhook attempts could not be recorded yet');
      for (const pending of results) this.retryLater(pending);
    }
  }

  private retryLater(pending: PendingResult): void {
    if (performance.now() - pending.sinceMs > RECORD_TIMEOUT_MS) {
      this.deps.logger.warn(
        { deliveryId: pending.result.deliveryId },
        'the result of a webhook attempt could not be recorded; the attempt is made again',
      );
      return;
    }
    this.batch.addLater(pending, RETRY_DELAY_MS);
  }
}
