import { placeOrder } from '../http';
import { someBuyers, someQuotes } from '../fixtures';
import { fill } from '../growth/copies';
import { idOf } from '../growth/year';
import { anEndpoint } from '../../test/support/endpoints';
import type { Stage } from '../stage';

/** Where copied orders and their deliveries come from: one that was really placed, on an account with these endpoints. */
export interface Outbox {
  orderId: string;
  endpoints: string[];
}

export async function anOutbox(stage: Stage, endpoints: number): Promise<Outbox> {
  const [buyer] = await someBuyers(stage, 1);
  if (buyer === undefined) throw new Error('no buyer');
  const made = await Promise.all(
    Array.from({ length: endpoints }, (_, index) => anEndpoint(stage.database, buyer.accountId, `${stage.receiverOrigin}/sink/${index}`)),
  );
  const [quoteId = ''] = await someQuotes(stage, [buyer], 1);
  const placed = JSON.parse(await placeOrder(stage, buyer.key, quoteId)) as { data: { orderId: string } };
  return { orderId: placed.data.orderId, endpoints: made.map(({ id }) => id) };
}

/** So many more events of that order, each with its body, named after `series`; no deliveries yet. */
export async function copyEvents(stage: Stage, { orderId }: Outbox, series: string, count: number): Promise<void> {
  const [{ last } = { last: 0 }] = await stage.database.rows<{ last: number }>(
    'SELECT max(sequence) AS last FROM order_events WHERE order_id = $1',
    [orderId],
  );
  await fill(
    stage,
    [
      {
        table: 'order_events',
        of: `order_id = '${orderId}' AND sequence = 1`,
        but: { id: idOf('evt', series), sequence: `${last} + n`, feed_position: 'NULL::bigint', created_at: 'now()' },
      },
    ],
    count,
  );
}

/**
 * One delivery of each of these events to each endpoint, stored in one transaction: all become visible together. @returns when, ms since
 * epoch
 */
export async function storeDeliveries(
  stage: Stage,
  { orderId, endpoints }: Outbox,
  series: string,
  count: number,
  table = 'webhook_deliveries',
): Promise<number> {
  await stage.database.run(
    `
    INSERT INTO ${table} (id, event_id, order_id, endpoint_id, state, trigger, created_at, next_attempt_at)
    SELECT 'dlv_' || md5('${series}' || n || '/' || e.id), ${idOf('evt', series)}, $1, e.id, 'pending', 'automatic', now(), now()
      FROM generate_series(1, ${count}) AS n, unnest($2::text[]) AS e (id)`,
    [orderId, endpoints],
  );
  return Date.now();
}
