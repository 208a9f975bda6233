import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';
import type { RowOf } from '../columns';
import { QUOTE_COLUMNS } from '../rows';

const TRIED_QUOTE_COLUMNS = QUOTE_COLUMNS.only(
  'id',
  'account_id',
  'lines',
  'jobs',
  'shipping_address',
  'shipping_method',
  'rush_tier',
  'white_label',
  'currency',
  'created_at',
);
export type TriedQuote = RowOf<typeof TRIED_QUOTE_COLUMNS> & { address_erased_at: Date | null };

export type QuoteToTry = TriedQuote & { account_name: string; trade_discount_bps: number };

/** Finds the newest quotes of an environment, with the current discount of their accounts. */
export function findNewestQuotes(sql: Sql, environment: Environment, limit: number): Promise<QuoteToTry[]> {
  return sql.rows(
    `SELECT ${TRIED_QUOTE_COLUMNS.of('q')}, q.address_erased_at, a.name AS account_name, a.trade_discount_bps
       FROM (SELECT * FROM quotes WHERE environment = $1 ORDER BY created_at DESC, id DESC LIMIT $2) q JOIN accounts a ON a.id = q.account_id
      ORDER BY q.created_at DESC, q.id DESC`,
    [environment, limit],
  );
}
