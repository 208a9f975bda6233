import pLimit from 'p-limit';
import type { Database } from '../db/database';
import type { Clock } from '../platform/clock';
import { claimHoldsToStart, claimOrdersToStart, markHoldsStarted, markOrdersStarted } from '../db/repositories/workflow-starts';
import { loadOrderState } from '../db/repositories/orders';
import type { Logger } from '../platform/logger';
import type { Temporal } from '../temporal';
import type { NewOrder } from '../temporal/orders';
import { Batch } from '../runtime/batch';
import { Poller } from '../runtime/poller';

/** The maximum of concurrent starts, and of starts that wait in memory. Later searches find the rows of further starts. */
const MAX_IN_FLIGHT = 32;
const MAX_WAITING = 1000;
/** The interval of searches for rows without a workflow, and the maximum of rows in a search. */
const POLL_INTERVAL_MS = 2_000;
const BATCH_SIZE = 100;

interface Start {
  id: string;
  work: () => Promise<unknown>;
  onStarted: () => void;
}

interface WorkflowStarterDeps {
  database: Database;
  temporal: Temporal;
  clock: Clock;
  logger: Logger;
}

/**
 * Starts the workflows of orders and quote holds after the response to their requests, a limited number at a time. Starts none while
 * Temporal is unavailable. Marks the rows of started workflows in batches. A regular search finds rows without the mark and starts them.
 */
export class WorkflowStarter {
  private readonly limit = pLimit(MAX_IN_FLIGHT);
  /** The ids of starts that wait or run in this process. Their rows are not marked yet, so searches return them again. */
  private readonly pendingIds = new Set<string>();
  private readonly orders: Batch<string>;
  private readonly holds: Batch<string>;
  private readonly poller: Poller;
  private isClosing = false;

  constructor(private readonly deps: WorkflowStarterDeps) {
    const { database } = deps;
    this.orders = new Batch((ids) => this.logMarkFailure(markOrdersStarted(database, ids, deps.clock.now())));
    this.holds = new Batch((ids) => this.logMarkFailure(markHoldsStarted(database, ids, deps.clock.now())));
    this.poller = new Poller(() => this.claimRows(), {
      intervalMs: () => POLL_INTERVAL_MS,
      onError: (error) => deps.logger.warn({ err: error }, 'searching for rows without a workflow failed'),
    });
  }

  /** Starts the workflow of a new order with its facts. */
  startOrder(newOrder: NewOrder): void {
    this.enqueue({
      id: newOrder.orderId,
      work: () => this.deps.temporal.orders.start(newOrder),
      onStarted: () => this.orders.add(newOrder.orderId),
    });
  }

  startHold(quoteId: string, expiresAt: Date): void {
    this.enqueue({
      id: quoteId,
      work: () => this.deps.temporal.quotes.startHold(quoteId, expiresAt),
      onStarted: () => this.holds.add(quoteId),
    });
  }

  /** Starts the regular search for rows without a workflow. It also runs whenever Temporal becomes available again. */
  startPolling(): void {
    this.deps.temporal.breaker.onClosed(() => this.poller.pollNow());
    this.poller.start();
  }

  /** Waits for running starts and drops waiting ones, whose rows a later search finds. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.limit.clearQueue();
    await this.poller.stop();
    while (this.limit.activeCount > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([this.orders.close(), this.holds.close()]);
  }

  private enqueue(start: Start): void {
    if (!this.hasCapacity(1) || this.pendingIds.has(start.id)) return;
    this.pendingIds.add(start.id);
    // oxlint-disable-next-line typescript/no-floating-promises -- `run` does not reject
    this.limit(() => this.run(start));
  }

  private async run({ id, work, onStarted }: Start): Promise<void> {
    try {
      await work();
      onStarted();
    } catch (error) {
      this.deps.logger.info({ err: error }, 'a workflow was not started; the start will be retried');
    }
    this.pendingIds.delete(id);
  }

  private hasCapacity(starts: number): boolean {
    return !this.isClosing && !this.deps.temporal.breaker.isOpen && this.limit.pendingCount + starts <= MAX_WAITING;
  }

  /**
   * Searches for rows without a workflow and starts as many as this process can. If a start takes too long, another process may claim the
   * row.
   * @returns true if there may be more
   */
  private async claimRows(): Promise<boolean> {
    if (!this.hasCapacity(BATCH_SIZE)) return false;
    const { database } = this.deps;
    const [orders, holds] = await Promise.all([claimOrdersToStart(database, BATCH_SIZE), claimHoldsToStart(database, BATCH_SIZE)]);
    for (const { id } of orders) this.enqueue({ id, work: () => this.startStored(id), onStarted: () => this.orders.add(id) });
    for (const { id, expires_at } of holds) this.startHold(id, expires_at);
    return Math.max(orders.length, holds.length) >= BATCH_SIZE;
  }

  /** Starts the workflow with the stored facts. */
  private async startStored(orderId: string): Promise<void> {
    const state = await loadOrderState(this.deps.database, orderId);
    if (state !== null) await this.deps.temporal.orders.start({ orderId, state, requestId: 'sweep' });
  }

  private logMarkFailure(work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) =>
      this.deps.logger.warn({ err: error }, 'started workflows were not marked; starting them again changes nothing'),
    );
  }
}
