import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';
import type { RowOf } from '../columns';
import { QUOTE_COLUMNS, type QuoteRow } from '../rows';

const NEW_QUOTE_COLUMNS = QUOTE_COLUMNS.without('consumed_at', 'expired_at');
/** Select-list part over `quotes`: the whole row. */
export const QUOTE = QUOTE_COLUMNS.list;

/** A quote of this account and environment, or null. Reads do not see the other environment. */
export function findQuote(sql: Sql, accountId: string, environment: Environment, quoteId: string): Promise<QuoteRow | null> {
  return sql.row(`SELECT ${QUOTE} FROM quotes WHERE id = $1 AND account_id = $2 AND environment = $3`, [quoteId, accountId, environment]);
}

export async function insertQuote(sql: Sql, quote: RowOf<typeof NEW_QUOTE_COLUMNS>): Promise<QuoteRow> {
  const urls = [...new Set(quote.jobs.flatMap(({ imageUrl }) => (imageUrl === null ? [] : [imageUrl])))];
  // Artwork is in use while the quote can be ordered. The mark lasts an hour longer, so that another quote with the same artwork within the
  // hour writes no row.
  await sql.run(
    `
    WITH quoted_uploads AS (
      SELECT id FROM uploads WHERE account_id = $2 AND url = ANY ($3) AND (quoted_until IS NULL OR quoted_until < $4)
       ORDER BY id FOR NO KEY UPDATE),
    marked_uploads AS (UPDATE uploads u SET quoted_until = $4::timestamptz + interval '1 hour' FROM quoted_uploads q WHERE u.id = q.id)
    INSERT INTO quotes (${NEW_QUOTE_COLUMNS.list}) SELECT ${NEW_QUOTE_COLUMNS.list} FROM jsonb_populate_record(NULL::quotes, $1::jsonb)`,
    [JSON.stringify(quote), quote.account_id, urls, quote.expires_at],
  );
  return { ...quote, consumed_at: null, expired_at: null };
}

/** Makes a quote expire now; null if it was ordered or had already expired. */
export function expireQuoteNow(sql: Sql, quoteId: string, now: Date): Promise<QuoteRow | null> {
  return sql.row(
    `UPDATE quotes SET expires_at = $2, expired_at = $2 WHERE id = $1 AND consumed_at IS NULL AND expired_at IS NULL AND expires_at > $2 RETURNING ${QUOTE}`,
    [quoteId, now],
  );
}

/**
 * Marks a quote as expired unless it was ordered.
 * @returns the quote's final state; null if there is no such quote
 */
export async function markExpired(sql: Sql, quoteId: string, now: Date): Promise<'ordered' | 'expired' | null> {
  await sql.run(`UPDATE quotes SET expired_at = $2 WHERE id = $1 AND consumed_at IS NULL AND expired_at IS NULL`, [quoteId, now]);
  return sql.value(`SELECT CASE WHEN consumed_at IS NULL THEN 'expired' ELSE 'ordered' END FROM quotes WHERE id = $1`, [quoteId]);
}
