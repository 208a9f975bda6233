import pLimit from 'p-limit';
import type { Database } from '../db/database';
import type { Clock } from '../platform/clock';
import { claimOrdersToStart, markOrdersStarted } from '../db/repositories/workflow-starts';
import { loadOrderState } from '../db/repositories/orders';
import type { Logger } from '../platform/logger';
import type { Temporal } from '../temporal';
import type { NewOrder } from '../temporal/orders';
import { Batch } from '../runtime/batch';
import { watchEventLoop } from '../runtime/event-loop-delay';
import { Poller } from '../runtime/poller';

/** The maximum of concurrent starts, also while requests wait for the processor. */
const MAX_IN_FLIGHT = 32;
const MAX_IN_FLIGHT_LATE = 2;
/** The maximum of starts that wait in memory. Later searches find further orders. */
const MAX_WAITING = 1000;
/** The interval of searches for orders without a workflow, and the maximum of orders in a search. */
const POLL_INTERVAL_MS = 2_000;
const BATCH_SIZE = 100;

interface WorkflowStarterDeps {
  database: Database;
  temporal: Temporal;
  clock: Clock;
  logger: Logger;
}

/**
 * Starts the workflows of orders and the timers of quotes after the response to their requests, a limited number at a time, and few while the
 * event loop is late. Starts none while Temporal is unavailable. Marks orders with a started workflow in batches. A regular search finds orders without the mark and starts
 * them. A quote needs no timer to expire, so no search repeats its start; `reconcile` reports a quote without timer or mark.
 */
export class WorkflowStarter {
  private readonly limit = pLimit(MAX_IN_FLIGHT);
  /** The ids of starts that wait or run in this process. Orders are not marked yet, so searches return them again. */
  private readonly pendingIds = new Set<string>();
  private readonly startedOrders: Batch<string>;
  private readonly poller: Poller;
  private readonly stopWatching: () => void;
  private isClosing = false;

  constructor(private readonly deps: WorkflowStarterDeps) {
    this.stopWatching = watchEventLoop((isLate) => {
      this.limit.concurrency = isLate ? MAX_IN_FLIGHT_LATE : MAX_IN_FLIGHT;
    });
    this.startedOrders = new Batch((ids) => this.markStarted(ids));
    this.poller = new Poller(() => this.claimOrders(), {
      intervalMs: () => POLL_INTERVAL_MS,
      onError: (error) => deps.logger.warn({ err: error }, 'searching for orders without a workflow failed'),
    });
  }

  /** Starts the workflow of a new order with its facts. */
  startOrder(newOrder: NewOrder): void {
    this.enqueue(newOrder.orderId, () => this.start(newOrder));
  }

  /** Starts the timer of a new quote. Tries twice, because no search repeats it and a busy Temporal can answer too late. */
  startQuoteTimer(quoteId: string, expiresAt: Date): void {
    const start = (): Promise<void> => this.deps.temporal.quotes.startTimer(quoteId, expiresAt);
    this.enqueue(quoteId, () =>
      start().catch((error: unknown) => {
        if (!this.hasCapacity(0)) throw error;
        return start();
      }),
    );
  }

  /** Starts the workflow of a new mail. If that fails, the sweep starts it. */
  startSend(sendId: string): void {
    this.enqueue(sendId, async () => void (await this.deps.temporal.sends.start(sendId)));
  }

  /** Starts or resumes the workflow of a statement run. If that fails, the sweep does it. */
  startRun(runId: string): void {
    this.enqueue(runId, () => this.deps.temporal.sends.startRun(runId));
  }

  /** Starts the regular search for orders without a workflow. It also runs whenever Temporal becomes available again. */
  startPolling(): void {
    this.deps.temporal.breaker.onClosed(() => this.poller.pollNow());
    this.poller.start();
  }

  /** Waits for running starts and drops waiting ones; a later search finds the orders. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.stopWatching();
    this.limit.clearQueue();
    await this.poller.stop();
    while (this.limit.activeCount > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await this.startedOrders.close();
  }

  private enqueue(id: string, start: () => Promise<void>): void {
    if (!this.hasCapacity(1) || this.pendingIds.has(id)) return;
    this.pendingIds.add(id);
    // oxlint-disable-next-line typescript/no-floating-promises -- `run` does not reject
    this.limit(() => this.run(id, start));
  }

  private async run(id: string, start: () => Promise<void>): Promise<void> {
    try {
      await start();
    } catch (error) {
      this.deps.logger.info({ err: error, id }, 'a workflow was not started');
    }
    this.pendingIds.delete(id);
  }

  private async start(newOrder: NewOrder): Promise<void> {
    await this.deps.temporal.orders.start(newOrder);
    this.startedOrders.add(newOrder.orderId);
  }

  private hasCapacity(starts: number): boolean {
    return !this.isClosing && !this.deps.temporal.breaker.isOpen && this.limit.pendingCount + starts <= MAX_WAITING;
  }

  /**
   * Searches for orders without a workflow and starts as many as this process can. If a start takes too long, another process may claim the
   * order.
   * @returns true if there may be more
   */
  private async claimOrders(): Promise<boolean> {
    if (!this.hasCapacity(BATCH_SIZE)) return false;
    const orderIds = await claimOrdersToStart(this.deps.database, BATCH_SIZE);
    for (const id of orderIds) this.enqueue(id, () => this.startStored(id));
    return orderIds.length >= BATCH_SIZE;
  }

  /** Starts the workflow with the stored facts. */
  private async startStored(orderId: string): Promise<void> {
    const state = await loadOrderState(this.deps.database, orderId);
    if (state !== null) await this.start({ orderId, state, requestId: 'sweep' });
  }

  private markStarted(orderIds: string[]): Promise<void> {
    const { database, clock, logger } = this.deps;
    return markOrdersStarted(database, orderIds, clock.now()).catch((error: unknown) =>
      logger.warn({ err: error }, 'started workflows were not marked; starting them again changes nothing'),
    );
  }
}
