import type { AccountStatus } from '../../domain/limits';
import type { Sql } from '../database';
import { orderNewestFirst, type Page } from '../keyset';
import { ACCOUNT_WITH_BALANCES, ACCOUNT_BALANCE_TABLES, type AccountWithBalances } from './accounts';
import { accountHasTerms, hasTerms } from './order-search';
import type { SearchTerm } from '../../domain/search-text';

export type AccountSort = 'newest' | 'name' | 'creditUsed';

export interface AccountFilter {
  /** The whole id, or parts of the name and e-mail address, or of one note. */
  search?: { id: string; terms: readonly SearchTerm[] } | undefined;
  status?: AccountStatus | undefined;
  /** Accounts whose live orders use more than this per cent of the credit limit. */
  creditUsedOver?: number | undefined;
  /** Newest first, by name, or the largest share of the limit first. */
  sort: AccountSort;
}

export interface ListedAccount extends AccountWithBalances {
  /** Share of the limit that live orders use, in hundredths of a per cent, at most 1,000,000; -1 without a limit. */
  used_bps: number;
}

/** SQL over an account with its balances, aliased `a`: the share of the credit limit that is used, as in `creditUsedBps`. */
const CREDIT_USED_BPS = `CASE WHEN a.credit_limit_cents IS NULL THEN -1
  WHEN a.outstanding_live <= a.credit_live THEN 0 WHEN a.credit_limit_cents = 0 THEN 1000000
  ELSE LEAST(1000000, (a.outstanding_live - a.credit_live) * 10000 / a.credit_limit_cents)::int END`;

const NEWEST = ['a.created_at', 'a.id'] as const;
const ORDER_BY: Record<AccountSort, string> = {
  newest: orderNewestFirst(NEWEST),
  name: 'ORDER BY lower(a.name), a.id',
  creditUsed: 'ORDER BY a.used_bps DESC, a.id',
};

/** Lists one page. If the list is sorted by credit used, the cursor's time holds that share as a number. */
export function listAccounts(sql: Sql, filter: AccountFilter, { limit, after }: Page): Promise<ListedAccount[]> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const { search, status, creditUsedOver, sort } = filter;
  const afterCursor: Record<AccountSort, () => string> = {
    newest: () => `(a.created_at, a.id) < (${bind(after?.createdAt)}, ${bind(after?.id)})`,
    name: () => `(lower(a.name), a.id) > (lower(${bind(after?.name)}), ${bind(after?.id)})`,
    creditUsed: () => `(-a.used_bps, a.id) > (${bind(after === null ? 0 : -after.createdAt.getTime())}::int, ${bind(after?.id)})`,
  };
  const accountsWithNote = (terms: readonly SearchTerm[]): string =>
    `SELECT n.account_id FROM notes n WHERE n.account_id IS NOT NULL AND ${hasTerms('search_form(n.text)', terms, bind)}`;
  const accountConditions = [
    'true',
    search !== undefined &&
      `(a.id = ${bind(search.id)}${search.terms.length === 0 ? '' : ` OR ${accountHasTerms(search.terms, bind)} OR a.id IN (${accountsWithNote(search.terms)})`})`,
    status !== undefined && `a.status = ${bind(status)}`,
  ].filter((condition) => typeof condition === 'string');
  const listConditions = [
    'true',
    creditUsedOver !== undefined && `a.used_bps > ${bind(creditUsedOver * 100)}`,
    after !== null && afterCursor[sort](),
  ].filter((condition) => typeof condition === 'string');
  return sql.rows(
    `SELECT a.* FROM (SELECT a.*, ${CREDIT_USED_BPS} AS used_bps FROM (SELECT ${ACCOUNT_WITH_BALANCES} FROM ${ACCOUNT_BALANCE_TABLES} WHERE ${accountConditions.join(' AND ')}) a) a
      WHERE ${listConditions.join(' AND ')} ${ORDER_BY[sort]} LIMIT ${bind(limit)}`,
    parameters,
  );
}
