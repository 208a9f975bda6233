import type { LineQuantity } from '../../domain/line-quantities';
import type { Sql, Transaction } from '../database';
import { PARCEL_COLUMNS, type ParcelRow } from '../rows';

/** The ordered pieces of each line, and those in parcels with a live label. Requires the order's lock. */
export async function packedPieces(sql: Sql, orderId: string): Promise<{ ordered: number[]; packed: LineQuantity[] }> {
  const row = await sql.row<{ ordered: number[]; packed: LineQuantity[] }>(
    `
    SELECT (SELECT jsonb_agg((line->>'quantity')::int ORDER BY n) FROM jsonb_array_elements(o.lines) WITH ORDINALITY l (line, n)) AS ordered,
           (SELECT jsonb_agg(pieces) FROM parcels p, jsonb_array_elements(p.lines) pieces
             WHERE p.order_id = o.id AND p.voided_at IS NULL) AS packed
      FROM orders o WHERE o.id = $1`,
    [orderId],
  );
  return { ordered: row?.ordered ?? [], packed: row?.packed ?? [] };
}

/** Locks a parcel until the transaction ends, so that its label is not voided meanwhile; null if the order has no such parcel. */
export function lockParcel(sql: Transaction, orderId: string, parcelId: string): Promise<ParcelRow | null> {
  return sql.row(`SELECT ${PARCEL_COLUMNS.list} FROM parcels WHERE order_id = $1 AND id = $2 FOR NO KEY UPDATE`, [orderId, parcelId]);
}

/** Stores when a parcel was delivered; null takes it back. */
export async function setDelivered(sql: Transaction, { order_id, id, delivered_at }: ParcelRow): Promise<void> {
  await sql.run('UPDATE parcels SET delivered_at = $3 WHERE order_id = $1 AND id = $2', [order_id, id, delivered_at]);
}
