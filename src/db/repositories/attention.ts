import type { AttentionCode } from '../../domain/attention';
import type { Environment } from '../../domain/limits';
import type { OrderStatus } from '../../domain/order-status';
import type { Sql } from '../database';
import { findPage, type Page } from '../keyset';
import type { AttentionRow } from '../rows';

/** An open problem of an order. `subject` names its cause: a message's key, a delivery, a parcel or an upload. */
export interface AttentionOccurrence {
  orderId: string;
  code: AttentionCode;
  subject: string;
}

/** SQL that raises attention for the rows of `source`, a SELECT or VALUES. An open occurrence is not raised again. */
export const attentionInsert = (source: string): string => `
    INSERT INTO order_attention (order_id, code, subject, message, raised_at) ${source}
    ON CONFLICT (order_id, code, subject) WHERE cleared_at IS NULL DO NOTHING`;

/** Raises attention in the transaction that finds the problem. */
export async function raiseAttention(sql: Sql, { orderId, code, subject }: AttentionOccurrence, message: string, at: Date): Promise<void> {
  await sql.run(attentionInsert('VALUES ($1, $2, $3, $4, $5)'), [orderId, code, subject, message, at]);
}

/** Clears open attention. `condition` is SQL over `order_attention` with parameters from $2 on. */
export function clearAttentionWhere(sql: Sql, condition: string, parameters: unknown[], at: Date): Promise<void> {
  return sql.run(`UPDATE order_attention SET cleared_at = $1, cleared_by = 'service' WHERE cleared_at IS NULL AND ${condition}`, [
    at,
    ...parameters,
  ]);
}

/** Clears attention that an event has resolved: a delivery succeeded, a file arrived or a parcel was voided. */
export function clearAttention(sql: Sql, { orderId, code, subject }: AttentionOccurrence, at: Date): Promise<void> {
  return clearAttentionWhere(sql, 'order_id = $2 AND code = $3 AND subject = $4', [orderId, code, subject], at);
}

/** Changes the message of these orders' open attention with this code and subject. */
export async function updateAttentionMessage(
  sql: Sql,
  orderIds: readonly string[],
  { code, subject }: Omit<AttentionOccurrence, 'orderId'>,
  message: string,
): Promise<void> {
  await sql.run(`UPDATE order_attention SET message = $4 WHERE order_id = ANY ($1) AND code = $2 AND subject = $3 AND cleared_at IS NULL`, [
    orderIds,
    code,
    subject,
    message,
  ]);
}

/** Open PAID_BUT_VOID attention of these orders, with the amount paid on each, in cents. */
export function findOpenPaidButVoid(
  sql: Sql,
  orderIds: readonly string[],
): Promise<(Pick<AttentionRow, 'subject'> & { order_id: string; cents: number })[]> {
  return sql.rows(
    `
    SELECT t.order_id, t.subject,
           (SELECT COALESCE(SUM(y.amount_cents), 0)::bigint FROM payments y WHERE y.order_id = t.order_id AND y.reversed_at IS NULL) AS cents
      FROM order_attention t WHERE t.order_id = ANY ($1) AND t.code = 'PAID_BUT_VOID' AND t.cleared_at IS NULL`,
    [orderIds],
  );
}

/** Clears all attention of an order with this code. */
export function clearAllAttention(sql: Sql, orderId: string, code: AttentionCode, at: Date): Promise<void> {
  return clearAttentionWhere(sql, 'order_id = $2 AND code = $3', [orderId, code], at);
}

/** Subject of `ARTWORK_REJECTED`: the milestone that rejected it, and the line. */
export const rejectionSubject = (milestoneId: string, line: number): string => `${milestoneId}/${line}`;

/** Clears the rejection that a milestone raised. */
export function clearRejection(sql: Sql, orderId: string, milestoneId: string, at: Date): Promise<void> {
  const condition = `order_id = $2 AND code = 'ARTWORK_REJECTED' AND regexp_replace(subject, '/\\d+$', '') = $3`;
  return clearAttentionWhere(sql, condition, [orderId, milestoneId], at);
}

/**
 * Resolves all open attention of an order with this code.
 * @returns the resolved rows, oldest first
 */
export function resolveAttention(
  sql: Sql,
  { orderId, code }: Omit<AttentionOccurrence, 'subject'>,
  by: { name: string; note: string; at: Date },
): Promise<Pick<AttentionRow, 'subject' | 'raised_at'>[]> {
  return sql.rows(
    `
    WITH resolved AS (
      UPDATE order_attention SET cleared_at = $3, cleared_by = $4, note = $5
       WHERE order_id = $1 AND code = $2 AND cleared_at IS NULL RETURNING id, subject, raised_at)
    SELECT subject, raised_at FROM resolved ORDER BY raised_at, id`,
    [orderId, code, by.at, by.name, by.note],
  );
}

/** Open attention with its order. */
export interface OpenAttentionRow extends AttentionRow {
  id: number;
  environment: Environment;
  order_id: string;
  order_number: string;
  status: OrderStatus;
  account_id: string;
  account_name: string;
}

const OPEN_ATTENTION_COLUMNS = `t.id, t.code, t.subject, t.message, t.raised_at, t.environment, t.order_id, o.order_number, o.status, o.account_id,
  a.name AS account_name`;

export interface AttentionFilter {
  environment: Environment;
  /** Null: all codes. */
  codes: readonly AttentionCode[] | null;
  accountId: string | null;
  /** The period: `from` inclusive, `to` exclusive. */
  from: Date | null;
  to: Date | null;
  /** Default: oldest first. */
  newestFirst: boolean;
}

/** Open attention of all orders, by (raised_at, id). */
export function listOpenAttention(sql: Sql, filter: AttentionFilter, page: Page): Promise<OpenAttentionRow[]> {
  const text = `SELECT ${OPEN_ATTENTION_COLUMNS} FROM order_attention t JOIN orders o ON o.id = t.order_id JOIN accounts a ON a.id = o.account_id
     WHERE t.cleared_at IS NULL AND t.environment = $1 AND ($2::text[] IS NULL OR t.code = ANY ($2)) AND ($3::text IS NULL OR o.account_id = $3)
       AND ($4::timestamptz IS NULL OR t.raised_at >= $4) AND ($5::timestamptz IS NULL OR t.raised_at < $5)`;
  const parameters = [filter.environment, filter.codes, filter.accountId, filter.from, filter.to];
  return findPage(sql, { text, parameters, sortBy: ['t.raised_at', 't.id'], oldestFirst: !filter.newestFirst }, page);
}

/** Open attention with one code: the count and the oldest orders. */
export interface AttentionSummary {
  code: AttentionCode;
  open: number;
  orders: number;
  oldest: Date;
  orderNumbers: string[];
}

/** Open attention by code, oldest first, with at most `maxOrderNumbers` order numbers each. */
export function summarizeOpenAttention(
  sql: Sql,
  { environment, codes = null }: Pick<AttentionFilter, 'environment'> & Partial<Pick<AttentionFilter, 'codes'>>,
  maxOrderNumbers: number,
): Promise<AttentionSummary[]> {
  return sql.rows(
    `
    WITH open_by_order AS (
      SELECT t.code, o.order_number, count(*) AS open, min(t.raised_at) AS oldest
        FROM order_attention t JOIN orders o ON o.id = t.order_id
       WHERE t.cleared_at IS NULL AND t.environment = $2 AND ($3::text[] IS NULL OR t.code = ANY ($3)) GROUP BY 1, 2)
    SELECT code, sum(open)::int AS open, count(*)::int AS orders, min(oldest) AS oldest, (array_agg(order_number ORDER BY oldest, order_number))[1:$1] AS "orderNumbers"
      FROM open_by_order GROUP BY code ORDER BY oldest, code`,
    [maxOrderNumbers, environment, codes],
  );
}
