import type { Environment } from '../../domain/limits';
import { row, rows, type Sql } from '../data-source';
import type { QuoteRow } from '../rows';
import { nextOrderNumber } from './orders';

const NEW = [
  'id', 'account_id', 'environment', 'key_id', 'currency', 'pricing_version', 'lines', 'jobs', 'breakdown',
  'shipping_address', 'shipping_method', 'rush_tier', 'white_label', 'subtotal_cents', 'discount_cents', 'discount_reason',
  'discount_label', 'shipping_cents', 'rush_fee_cents', 'total_cents', 'gst_cents', 'promised_ready_date', 'created_at',
  'expires_at',
] as const satisfies readonly (keyof QuoteRow)[];

/** Select-list part over `quotes`: the whole row. */
export const QUOTE_COLUMNS = [...NEW, 'consumed_at', 'expired_at'].join(', ');

/** A quote of this account and environment, or null: other environments read as unknown (ruling 16). */
export function findQuote(sql: Sql, accountId: string, environment: Environment, quoteId: string): Promise<QuoteRow | null> {
  return row(sql, `SELECT ${QUOTE_COLUMNS} FROM quotes WHERE id = $1 AND account_id = $2 AND environment = $3`, [quoteId, accountId, environment]);
}

/**
 * A quote of this account in either environment, or null: ordering tells the environments apart itself. `orderNumber` is the
 * number of the order that is about to be made of it: readable, unique and per environment (ruling 8; gaps are normal).
 */
export function findQuoteToOrder(sql: Sql, accountId: string, environment: Environment, quoteId: string): Promise<(QuoteRow & { order_number: string }) | null> {
  return row(sql, `SELECT ${QUOTE_COLUMNS}, ${nextOrderNumber(environment)} AS order_number FROM quotes WHERE id = $1 AND account_id = $2`, [quoteId, accountId]);
}

const JSON_COLUMNS = new Set<string>(['lines', 'jobs', 'breakdown', 'shipping_address']);

export type NewQuote = Pick<QuoteRow, (typeof NEW)[number]>;

export async function insertQuote(sql: Sql, quote: NewQuote): Promise<QuoteRow> {
  const values = NEW.map((column) => (JSON_COLUMNS.has(column) ? JSON.stringify(quote[column]) : quote[column]));
  const marks = NEW.map((_, index) => `$${index + 1}`).join(', ');
  await sql.query(`INSERT INTO quotes (${NEW.join(', ')}) VALUES (${marks})`, values);
  return { ...quote, consumed_at: null, expired_at: null };
}

export async function markHoldStarted(sql: Sql, quoteId: string, now: Date): Promise<void> {
  await sql.query(`UPDATE quotes SET hold_started_at = $2 WHERE id = $1`, [quoteId, now]);
}

/** Marks an unspent quote expired; once. */
export async function markExpired(sql: Sql, quoteId: string, now: Date): Promise<void> {
  await sql.query(`UPDATE quotes SET expired_at = $2 WHERE id = $1 AND consumed_at IS NULL AND expired_at IS NULL`, [quoteId, now]);
}

/** Quotes whose hold could not be started when they were issued; older than `before`, oldest first. */
export function quotesWithoutHold(sql: Sql, before: Date, limit: number): Promise<Pick<QuoteRow, 'id' | 'expires_at'>[]> {
  return rows(sql, `SELECT id, expires_at FROM quotes
     WHERE hold_started_at IS NULL AND consumed_at IS NULL AND expired_at IS NULL AND created_at < $1
     ORDER BY created_at LIMIT $2`, [before, limit]);
}
