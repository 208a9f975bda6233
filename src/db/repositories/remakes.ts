import type { PricedLine } from '../../domain/pricing/priced-quote';
import type { Sql } from '../database';
import { scheduleReinspection } from './inspections';
import { findStudioOrder, type StudioJobRow } from './studio-orders';
import { REMAKE_COLUMNS, type RemakeRow } from '../rows';

/**
 * Locks the original order until the transaction ends; null if there is none. The order is read in a statement after the lock, so that
 * earlier remakes are visible. Also locks its artwork by id, so that the files cannot change meanwhile.
 */
export async function lockOriginal(sql: Sql, orderId: string): Promise<StudioJobRow | null> {
  if (!(await sql.exists('SELECT 1 FROM orders WHERE id = $1 FOR NO KEY UPDATE', [orderId]))) return null;
  await sql.run(
    'SELECT 1 FROM uploads WHERE id IN (SELECT upload_id FROM order_artwork WHERE order_id = $1) ORDER BY id FOR NO KEY UPDATE',
    [orderId],
  );
  return findStudioOrder(sql, orderId);
}

/** The remake of an order under the caller's id, or null. */
export function findRemake(sql: Sql, originalId: string, remakeId: string): Promise<Pick<RemakeRow, 'order_id' | 'digest'> | null> {
  return sql.row('SELECT order_id, digest FROM remakes WHERE original_id = $1 AND remake_id = $2', [originalId, remakeId]);
}

/** The highest used remake number of an order. */
export interface LastRemake {
  id: string;
  order_number: string;
  sequence: number;
}

/** SQL over `orders o`: the last used remake number, including numbers that a restored database has lost. */
const LAST_SEQUENCE = `GREATEST(o.remake_floor, (SELECT COALESCE(max(m.sequence), 0) FROM remakes m WHERE m.original_id = o.id))`;

/** The last remake number of each stored order among these order numbers; 0 without a remake. */
export function findLastRemakes(sql: Sql, orderNumbers: readonly string[]): Promise<LastRemake[]> {
  return sql.rows(`SELECT o.id, o.order_number, ${LAST_SEQUENCE} AS sequence FROM orders o WHERE o.order_number = ANY ($1)`, [
    orderNumbers,
  ]);
}

/** The next unused remake number of a locked order: 1 for `P-10001-R1`. */
export async function findNextSequenceNumber(sql: Sql, originalId: string): Promise<number> {
  return (await sql.value<number>(`SELECT ${LAST_SEQUENCE} FROM orders o WHERE o.id = $1`, [originalId])) + 1;
}

/** Makes the order skip remake numbers up to this one. Never lowers the limit. */
export async function skipSequence(sql: Sql, originalId: string, sequence: number): Promise<void> {
  await sql.run('UPDATE orders SET remake_floor = $2 WHERE id = $1 AND remake_floor < $2', [originalId, sequence]);
}

/**
 * Stores a remake as a free order without quote, invoice and events, with the artwork that the original has recorded. Missing artwork is
 * checked at once. For five seconds only the caller may start the workflow.
 */
export async function insertRemake(
  sql: Sql,
  remake: RemakeRow,
  { orderNumber, lines, dueDate, now }: { orderNumber: string; lines: PricedLine[]; dueDate: string; now: Date },
): Promise<void> {
  await sql.run(
    `
    INSERT INTO orders (id, order_number, account_id, environment, status, base_status, event_sequence, special_instructions, reference, currency, lines,
      subtotal_cents, discount_cents, shipping_cents, shipping_method, is_collection, rush_fee_cents, total_cents, gst_cents, white_label, due_date, created_at,
      updated_at, workflow_claimed_until)
    SELECT $1, $2, o.account_id, o.environment, 'received', 'received', 0, o.special_instructions, o.reference, o.currency, $3::jsonb,
      0, 0, 0, o.shipping_method, o.is_collection, 0, 0, 0, o.white_label, $6, $4, $4, clock_timestamp() + interval '5 seconds' FROM orders o WHERE o.id = $5`,
    [remake.order_id, orderNumber, JSON.stringify(lines), now, remake.original_id, dueDate],
  );
  await sql.run(
    `INSERT INTO remakes (${REMAKE_COLUMNS.list}) SELECT ${REMAKE_COLUMNS.list} FROM jsonb_populate_record(NULL::remakes, $1::jsonb)`,
    [JSON.stringify(remake)],
  );
  await sql.run(
    `
    INSERT INTO order_artwork (order_id, upload_id, size_bytes, checksum, fixed_at, next_check_at)
    SELECT $1, a.upload_id, a.size_bytes, a.checksum, a.fixed_at, CASE WHEN a.fixed_at IS NULL THEN COALESCE(a.next_check_at, $3::timestamptz) END
      FROM order_artwork a JOIN uploads u ON u.id = a.upload_id
     WHERE a.order_id = $2 AND u.url IN (SELECT job->>'imageUrl' FROM jsonb_array_elements($4::jsonb) job)`,
    [remake.order_id, remake.original_id, now, JSON.stringify(remake.jobs)],
  );
  await scheduleReinspection(sql, remake.order_id);
}
