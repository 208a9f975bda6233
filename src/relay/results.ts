import type { Database } from '../db/database';
import type { Clock } from '../clock';
import { recordResults, type AttemptResult } from '../db/repositories/relay';
import type { DeliveryState } from '../domain/webhook-rules';
import { Batch } from '../runtime/batch';
import type { Logger } from '../logger';

/** Results of this time, ms, are recorded together, at most so many. A killed relay's unrecorded ones are sent again, so both are small. */
const GATHER_MS = 20;
const AT_ONCE = 50;
const AGAIN_MS = 250;
/** A result is given up when its row stays locked for longer than this, ms, or is gone because a backup was restored. */
const PATIENCE_MS = 60_000;

interface Waiting {
  result: AttemptResult;
  sinceMs: number;
}

interface ResultsDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
}

/** Records what came of attempts, in batches that never wait for a slow one. */
export class Results {
  private readonly batch = new Batch<Waiting>((results) => this.store(results), GATHER_MS, AT_ONCE);

  /** @param recorded told of every result that is stored, with the delivery's state; null where it came too late to count */
  constructor(
    private readonly deps: ResultsDeps,
    private readonly recorded: (result: AttemptResult, state: DeliveryState | null) => void,
  ) {}

  add(result: AttemptResult): void {
    this.batch.add({ result, sinceMs: performance.now() });
  }

  get waiting(): number {
    return this.batch.waiting;
  }

  /** Stores what is there; gives up on a database that does not answer: those attempts are made again. */
  close(): Promise<void> {
    return this.batch.close();
  }

  /** What is locked just now, or cannot be stored, comes with a later batch; after its lease it no longer counts, and is only logged. */
  private async store(results: Waiting[]): Promise<void> {
    try {
      const states = await recordResults(
        this.deps.database,
        results.map(({ result }) => result),
        this.deps.clock.now(),
      );
      for (const waiting of results) {
        const state = states.get(waiting.result.deliveryId);
        if (state === undefined) this.later(waiting);
        else this.recorded(waiting.result, state);
      }
    } catch (error) {
      this.deps.logger.warn({ err: error, results: results.length }, 'results of webhook attempts could not be recorded yet');
      for (const waiting of results) this.later(waiting);
    }
  }

  private later(waiting: Waiting): void {
    if (performance.now() - waiting.sinceMs > PATIENCE_MS) {
      this.deps.logger.warn(
        { deliveryId: waiting.result.deliveryId },
        'the result of a webhook attempt could not be recorded; the attempt is made again',
      );
      return;
    }
    this.batch.again(waiting, AGAIN_MS);
  }
}
