import { rows } from '../src/db/data-source';
import { markHoldStarted, quotesWithoutHold } from '../src/db/repositories/quotes';
import { overdueDeliveries } from '../src/db/repositories/webhook-deliveries';
import type { ActivityDeps } from './index';

/** Rows get this long to have their workflow started by the request that made them. */
const GRACE_MS = 60_000;
const BATCH = 500;

/** Starts the holds and orders whose rows wait for a workflow. Starting one that runs already changes nothing. */
export async function startMissing(deps: ActivityDeps): Promise<{ quoteHolds: number; orders: number; deliveries: number }> {
  const before = new Date(deps.clock.now().getTime() - GRACE_MS);
  const quotes = await quotesWithoutHold(deps.dataSource.manager, before, BATCH);
  for (const quote of quotes) {
    await deps.temporal.startQuoteHold(quote.id, quote.expires_at);
    await markHoldStarted(deps.dataSource.manager, quote.id, deps.clock.now());
  }
  return { quoteHolds: quotes.length, orders: await resumeLostOrders(deps, before), deliveries: await resumeLostDeliveries(deps, before) };
}

/** Pending deliveries whose attempt is overdue get their workflow, which goes on with the attempt that is due. */
async function resumeLostDeliveries(deps: ActivityDeps, before: Date): Promise<number> {
  let started = 0;
  for (let after = ''; ;) {
    const page = await overdueDeliveries(deps.dataSource.manager, before, after, BATCH);
    for (const { id, chain, attempts } of page) {
      if (await deps.temporal.startMissingDelivery({ deliveryId: id, chain, attempt: attempts + 1 })) started += 1;
    }
    if (page.length < BATCH) return started;
    after = page.at(-1)?.id ?? after;
  }
}

/** Open orders whose workflow does not run are resumed from the database. */
async function resumeLostOrders(deps: ActivityDeps, before: Date): Promise<number> {
  let resumed = 0;
  let after = '';
  for (;;) {
    const page = await rows<{ id: string; order_number: string; account_id: string; environment: 'live' | 'test' }>(deps.dataSource.manager,
      `SELECT id, order_number, account_id, environment FROM orders
        WHERE settled_at IS NULL AND created_at < $1 AND id > $2 ORDER BY id LIMIT $3`, [before, after, BATCH]);
    const running = await deps.temporal.runningOrders(page.map(({ id }) => id));
    for (const order of page.filter(({ id }) => !running.has(id))) {
      if (await deps.temporal.resumeOrder({ orderId: order.id, orderNumber: order.order_number, accountId: order.account_id, environment: order.environment })) resumed += 1;
    }
    if (page.length < BATCH) return resumed;
    after = page.at(-1)?.id ?? after;
  }
}

/** Idempotency records past their lifetime and rate windows nobody has used for two minutes. */
export async function forgetExpired(deps: ActivityDeps): Promise<{ idempotencyRecords: number; rateWindows: number }> {
  const now = deps.clock.now();
  const records = await rows(deps.dataSource.manager,
    `DELETE FROM idempotency_records WHERE expires_at < $1 RETURNING id`, [now]);
  const windows = await rows(deps.dataSource.manager,
    `DELETE FROM rate_windows WHERE hits[cardinality(hits)] IS NULL OR hits[cardinality(hits)] < (extract(epoch FROM now()) * 1000)::bigint - 120000 RETURNING subject`);
  return { idempotencyRecords: records.length, rateWindows: windows.length };
}
