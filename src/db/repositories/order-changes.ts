import type { ShippingAddress } from '../../domain/basket/quote-request';
import type { ChangeableOrder, OrderChange } from '../../domain/pricing/order-change';
import type { PricedLine } from '../../domain/pricing/priced-quote';
import type { ParcelGroup } from '../../domain/shipping/parcels';
import type { Sql, Transaction } from '../database';
import type { AccountIdempotencyKey } from './idempotency';

export interface NewChange extends AccountIdempotencyKey {
  id: string;
  orderId: string;
  fingerprint: string;
  content: OrderChange;
}

/**
 * Stores a change before it is applied. A repeated request gets the id of its first change.
 * @returns the change's id; null if another request has a change under this key
 */
export function insertChange(sql: Sql, change: NewChange, now: Date): Promise<string | null> {
  return sql.value(
    `
    INSERT INTO order_changes (id, order_id, account_id, idempotency_key, fingerprint, content, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (account_id, idempotency_key) WHERE applied_at IS NULL
      DO UPDATE SET created_at = EXCLUDED.created_at WHERE order_changes.fingerprint = EXCLUDED.fingerprint
    RETURNING id`,
    [change.id, change.orderId, change.accountId, change.idempotencyKey, change.fingerprint, JSON.stringify(change.content), now],
  );
}

/** Deletes a refused change. An applied change stays. */
export function deleteChange(sql: Sql, changeId: string): Promise<void> {
  return sql.run('DELETE FROM order_changes WHERE id = $1 AND applied_at IS NULL', [changeId]);
}

/** Deletes changes that were neither applied nor refused, because their request was interrupted and never repeated. */
export function deleteLostChanges(sql: Sql, createdBefore: Date): Promise<void> {
  return sql.run('DELETE FROM order_changes WHERE applied_at IS NULL AND created_at < $1', [createdBefore]);
}

/** A change with the values it replaces, the basis of the order's price, and sizes in bytes of UTF-8. */
export interface ChangeToApply extends AccountIdempotencyKey {
  fingerprint: string;
  content: OrderChange;
  quote_id: string;
  shipping_address: ShippingAddress;
  lines: PricedLine[];
  special_instructions: string | null;
  reference: string | null;
  pricing_version: number;
  parcels: ParcelGroup[];
  shipping_method: string | null;
  shipping_cents: number;
  total_cents: number;
  gst_cents: number;
  own_bytes: number;
  stored_bytes: number;
}

/** Locks the change; null if the order has no such change to apply. Requires the order's lock. */
export function findChange(sql: Sql, orderId: string, changeId: string): Promise<ChangeToApply | null> {
  return sql.row(
    `
    SELECT c.account_id AS "accountId", c.idempotency_key AS "idempotencyKey", c.fingerprint, c.content, o.quote_id, q.shipping_address,
           o.lines, o.special_instructions, o.reference, q.pricing_version, q.breakdown->'parcels' AS parcels, o.shipping_method, o.shipping_cents,
           o.total_cents, o.gst_cents, octet_length(c.content::text) AS own_bytes,
           (SELECT COALESCE(sum(octet_length(a.content::text)), 0)::int FROM order_changes a
             WHERE a.order_id = o.id AND a.applied_at IS NOT NULL) AS stored_bytes
      FROM order_changes c JOIN orders o ON o.id = c.order_id JOIN quotes q ON q.id = o.quote_id
     WHERE c.id = $2 AND o.id = $1 AND c.applied_at IS NULL FOR UPDATE OF c`,
    [orderId, changeId],
  );
}

/**
 * Writes a change to its order and quote, and marks it applied. The address is stored with the quote, so documents, mail and search read
 * the new one.
 */
export async function storeOrderChange(
  sql: Transaction,
  { changeId, quoteId, orderId }: { changeId: string; quoteId: string; orderId: string },
  values: ChangeableOrder,
  replaced: OrderChange,
  now: Date,
): Promise<void> {
  await Promise.all([
    sql.run('UPDATE quotes SET shipping_address = $2 WHERE id = $1', [quoteId, JSON.stringify(values.shippingAddress)]),
    sql.run('UPDATE orders SET lines = $2, special_instructions = $3, reference = $4 WHERE id = $1', [
      orderId,
      JSON.stringify(values.lines),
      values.specialInstructions,
      values.reference,
    ]),
    sql.run('UPDATE order_changes SET applied_at = $2, replaced = $3 WHERE id = $1', [changeId, now, JSON.stringify(replaced)]),
  ]);
}
