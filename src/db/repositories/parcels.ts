import type { LineQuantity } from '../../domain/line-quantities';
import type { Sql } from '../database';

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
