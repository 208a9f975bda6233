import type { Pool, QueryConfig } from 'pg';
import '../../src/db/data-source'; // reads int8 as numbers, as the service does
import { FIGURE_COLUMNS } from '../../src/db/rows';
import { newId } from '../../src/security/ids';

/** An order to place, and the texts that its rows contain. */
export interface Placing {
  orderId: string;
  accountId: string;
  quoteId: string;
  idempotencyKey: string;
  /** The response, for replays. */
  response: string;
  event: string;
}

/** Writes all statements at once: BEGIN, these, COMMIT. The last answer ends the one round trip. */
export async function writeTransaction(pool: Pool, statements: readonly QueryConfig[]): Promise<void> {
  const client = await pool.connect();
  try {
    await Promise.all([{ text: 'BEGIN' }, ...statements, { text: 'COMMIT' }].map((statement) => client.query(statement)));
  } finally {
    client.release();
  }
}

/** Deliveries of the event `$1` to the order's endpoints. `o` is the order. */
const DELIVERIES = `
  INSERT INTO webhook_deliveries (id, event_id, order_id, endpoint_id, environment, state, trigger, created_at, next_attempt_at)
  SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), $1, o.id, w.id, w.environment, 'pending', 'automatic', now(), now()
    FROM o JOIN webhook_endpoints w USING (account_id, environment) WHERE w.deleted_at IS NULL`;

/**
 * Locks the account, and writes the rows of a placed order without checks. `settled_at` and `workflow_checked_at` keep the service's
 * processes from working on the order, which has no workflow.
 */
export const placingStatements = ({ orderId, accountId, quoteId, idempotencyKey, response, event }: Placing): QueryConfig[] => [
  { name: 'lock', text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', values: [accountId] },
  {
    name: 'place',
    text: `
      WITH q AS (UPDATE quotes SET consumed_at = now() WHERE id = $2 RETURNING *),
      o AS (
        INSERT INTO orders (id, order_number, quote_id, account_id, environment, ${FIGURE_COLUMNS.list}, white_label, due_date, metadata,
          status, base_status, created_at, updated_at, settled_at, workflow_checked_at)
        SELECT $3, 'T-' || nextval('order_numbers_test'), id, account_id, environment, ${FIGURE_COLUMNS.list}, white_label, due_date, metadata,
               'received', 'received', now(), now(), now(), now() FROM q RETURNING id, account_id, environment, total_cents, gst_cents),
      i AS (
        INSERT INTO invoices (id, invoice_number, order_id, account_id, environment, amount_cents, gst_cents, buyer, issued_at, due_at)
        SELECT $4, 'TINV-' || nextval('invoice_numbers_test'), id, account_id, environment, total_cents, gst_cents, '{}', now(), now() + interval '14 days' FROM o),
      b AS (
        INSERT INTO account_balances AS b (account_id, environment, outstanding_cents, credit_cents, booked_on)
        SELECT account_id, environment, total_cents, 0, current_date FROM o
        ON CONFLICT (account_id, environment) DO UPDATE SET outstanding_cents = b.outstanding_cents + EXCLUDED.outstanding_cents RETURNING booked_on),
      l AS (
        INSERT INTO ledger_entries (account_id, environment, booked_on, type, amount_cents, outstanding_cents, credit_cents, order_id, invoice_id, created_at)
        SELECT account_id, environment, booked_on, 'invoice', total_cents, total_cents, 0, id, $4, now() FROM o, b),
      r AS (
        INSERT INTO idempotency_records (account_id, idempotency_key, id, fingerprint, expires_at, order_id, response_status, response_body, created_at)
        SELECT account_id, $5, $6, md5($5) || md5(id), now() + interval '1 day', id, 201, $7, now() FROM o),
      u AS (
        UPDATE uploads u SET used_at = COALESCE(u.used_at, now()) FROM q
         WHERE u.account_id = q.account_id AND u.url = q.jobs->0->>'imageUrl' RETURNING u.id, u.size_bytes, u.checksum),
      a AS (INSERT INTO order_artwork (order_id, upload_id, size_bytes, checksum, fixed_at) SELECT $3, id, size_bytes, checksum, now() FROM u),
      e AS (
        INSERT INTO order_events (id, order_id, account_id, environment, sequence, type, body, created_at)
        SELECT $1, id, account_id, environment, 1, 'order.received', $8, now() FROM o)
      ${DELIVERIES}`,
    values: [newId('evt'), quoteId, orderId, newId('inv'), idempotencyKey, newId('idm'), response, event],
  },
];

/** Writes the rows of a milestone, `held` or `released`, without checks. */
const milestoneStatements = (orderId: string, type: string, event: string): QueryConfig[] => [
  {
    name: 'milestone',
    text: `
      WITH o AS (
        UPDATE orders SET (status, base_status, held_from) =
            ROW (CASE $3 WHEN 'held' THEN 'on_hold' ELSE 'in_production' END, CASE $3 WHEN 'held' THEN 'on_hold' ELSE 'in_production' END,
                 CASE $3 WHEN 'held' THEN 'in_production' END),
          event_sequence = event_sequence + 1, version = version + 1, updated_at = now()
         WHERE id = $2 RETURNING id, account_id, environment, status, event_sequence),
      t AS (
        INSERT INTO order_timeline (order_id, milestone_id, message_key, type, outcome, content, digest, actor, token_id, occurred_at, created_at)
        SELECT id, $1, $1, $3, 'applied', jsonb_build_object('type', $3)::text, md5($1) || md5(id), 'Floor', 'tok_floor', now(), now() FROM o),
      l AS (
        INSERT INTO audit_log (at, actor_id, actor, action, subject, request_id, before, after)
        SELECT now(), 'tok_floor', 'Floor', 'milestone.' || $3, id, $1, $5::jsonb, $5::jsonb FROM o),
      e AS (
        INSERT INTO order_events (id, order_id, account_id, environment, sequence, type, body, created_at)
        SELECT $1, id, account_id, environment, event_sequence, 'order.' || status, $4, now() FROM o)
      ${DELIVERIES}`,
    values: [newId('evt'), orderId, type, event, AUDITED],
  },
];

/** Has about the length of an audited state. */
const AUDITED = JSON.stringify({
  status: 'on_hold',
  baseStatus: 'on_hold',
  facts: { printed: false, liveParcels: 0, paidCents: 0 },
});

export type FloorActivities = ReturnType<typeof createFloorActivities>;

export function createFloorActivities(pool: Pool) {
  const readTexts = createTextReader(pool);
  return {
    async writeMilestone(orderId: string, type: string): Promise<void> {
      await writeTransaction(pool, milestoneStatements(orderId, type, (await readTexts()).event));
    },
  };
}

interface OrderTexts {
  response: string;
  event: string;
}

/** Reads the texts of an order of the service once. The floors store and return the same texts, so they have the same size. */
export function createTextReader(pool: Pool): () => Promise<OrderTexts> {
  const read = async (): Promise<OrderTexts> => {
    const { rows } = await pool.query<OrderTexts>(`
      SELECT r.response_body AS response, e.body AS event FROM idempotency_records r JOIN order_events e USING (order_id) LIMIT 1`);
    if (rows[0] === undefined) throw new Error('the service has placed no order yet');
    return rows[0];
  };
  let texts: Promise<OrderTexts> | undefined;
  return () => (texts ??= read());
}
