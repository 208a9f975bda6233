import pLimit from 'p-limit';
import type { Database } from '../db/database';
import type { Clock } from '../clock';
import { claimHoldsToStart, claimOrdersToStart, markHoldsStarted, markOrdersStarted } from '../db/repositories/workflow-starts';
import { loadOrderState } from '../db/repositories/orders';
import type { Logger } from '../logger';
import type { Temporal } from '../temporal';
import type { NewOrder } from '../temporal/orders';
import { Batch } from '../runtime/batch';
import { Poller } from '../runtime/poller';

/** How many starts are under way at once, and how many more may wait in memory. What finds no room is found again by its row. */
const IN_FLIGHT = 32;
const WAITING = 1000;
/** How often rows are looked for whose workflow nobody has started, and how many are taken at a time. */
const LOOK_EVERY_MS = 2_000;
const TAKEN_AT_ONCE = 100;

interface Start {
  id: string;
  work: () => Promise<unknown>;
  started: () => void;
}

interface StartsDeps {
  database: Database;
  temporal: Temporal;
  clock: Clock;
  logger: Logger;
}

/**
 * Starts the workflows of orders and quotes after their requests were answered, a bounded number at a time, and none while Temporal is
 * away. A start is marked in the order's or quote's row, in batches; rows without the mark are found again.
 */
export class WorkflowStarts {
  private readonly limit = pLimit(IN_FLIGHT);
  /** What waits or is under way here is not begun a second time because its row still says that nobody has. */
  private readonly inHand = new Set<string>();
  private readonly orders: Batch<string>;
  private readonly holds: Batch<string>;
  private readonly poller: Poller;
  private closing = false;

  constructor(private readonly deps: StartsDeps) {
    const { database } = deps;
    this.orders = new Batch((ids) => this.marked(markOrdersStarted(database, ids, deps.clock.now())));
    this.holds = new Batch((ids) => this.marked(markHoldsStarted(database, ids, deps.clock.now())));
    this.poller = new Poller(() => this.takeRows(), {
      everyMs: () => LOOK_EVERY_MS,
      onError: (error) => deps.logger.warn({ err: error }, 'rows without a workflow could not be looked for'),
    });
  }

  /** The workflow of an order that was just placed, with its facts. */
  order(placed: NewOrder): void {
    this.enter({
      id: placed.orderId,
      work: () => this.deps.temporal.orders.start(placed),
      started: () => this.orders.add(placed.orderId),
    });
  }

  hold(quoteId: string, expiresAt: Date): void {
    this.enter({
      id: quoteId,
      work: () => this.deps.temporal.quotes.startHold(quoteId, expiresAt),
      started: () => this.holds.add(quoteId),
    });
  }

  /** From now on also looks for rows whose start was lost, here or in another process, and at once when Temporal is back. */
  watch(): void {
    this.deps.temporal.breaker.onClosed(() => this.poller.pollNow());
    this.poller.start();
  }

  /** Waits for what is in flight; what still waits is found by its row. */
  async close(): Promise<void> {
    this.closing = true;
    this.limit.clearQueue();
    await this.poller.stop();
    while (this.limit.activeCount > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([this.orders.close(), this.holds.close()]);
  }

  private enter(start: Start): void {
    if (!this.hasRoom(1) || this.inHand.has(start.id)) return;
    this.inHand.add(start.id);
    // oxlint-disable-next-line typescript/no-floating-promises -- `run` does not reject
    this.limit(() => this.run(start));
  }

  private async run({ id, work, started }: Start): Promise<void> {
    try {
      await work();
      started();
    } catch (error) {
      this.deps.logger.info({ err: error }, 'a workflow was not started; its row says so, and it is tried again');
    }
    this.inHand.delete(id);
  }

  private hasRoom(starts: number): boolean {
    return !this.closing && !this.deps.temporal.breaker.isOpen && this.limit.pendingCount + starts <= WAITING;
  }

  /**
   * Takes more only as room comes: what is claimed is started by this process, or by another after a while.
   * @returns true if there may be more
   */
  private async takeRows(): Promise<boolean> {
    if (!this.hasRoom(TAKEN_AT_ONCE)) return false;
    const { database } = this.deps;
    const [orders, holds] = await Promise.all([claimOrdersToStart(database, TAKEN_AT_ONCE), claimHoldsToStart(database, TAKEN_AT_ONCE)]);
    for (const { id } of orders) this.enter({ id, work: () => this.startStored(id), started: () => this.orders.add(id) });
    for (const { id, expires_at } of holds) this.hold(id, expires_at);
    return Math.max(orders.length, holds.length) >= TAKEN_AT_ONCE;
  }

  /** With the facts as they are stored by now. */
  private async startStored(orderId: string): Promise<void> {
    const state = await loadOrderState(this.deps.database, orderId);
    if (state !== null) await this.deps.temporal.orders.start({ orderId, state, requestId: 'sweep' });
  }

  private marked(work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) =>
      this.deps.logger.warn({ err: error }, 'started workflows were not marked; they are started again, which changes nothing'),
    );
  }
}
