import type { AccountStatus } from '../../domain/limits';
import type { Sql } from '../database';
import { newestFirst, type Page } from '../keyset';
import { STANDING, STANDING_TABLES, type AccountStanding } from './accounts';
import { likePattern } from './order-search';

export type AccountSort = 'newest' | 'name' | 'creditUsed';

export interface AccountFilter {
  /** Part of its name or e-mail address, or its id. */
  q?: string | undefined;
  status?: AccountStatus | undefined;
  /** Per cent of its limit that live orders use, exceeded. */
  creditUsedOver?: number | undefined;
  /** Newest first, by name, or the largest share of a limit first. */
  sort: AccountSort;
}

export interface ListedAccount extends AccountStanding {
  /** Hundredths of a per cent of its limit that live orders use, at most 1,000,000; -1 without a limit. */
  used_bps: number;
}

/** SQL over an `AccountStanding` called `a`: `creditUsedBps` of its live sums. */
const USED_BPS = `CASE WHEN a.credit_limit_cents IS NULL THEN -1
  WHEN a.outstanding_live <= a.credit_live THEN 0 WHEN a.credit_limit_cents = 0 THEN 1000000
  ELSE LEAST(1000000, (a.outstanding_live - a.credit_live) * 10000 / a.credit_limit_cents)::int END`;

const NEWEST = ['a.created_at', 'a.id'] as const;
const ORDER: Record<AccountSort, string> = {
  newest: newestFirst(NEWEST),
  name: 'ORDER BY lower(a.name), a.id',
  creditUsed: 'ORDER BY a.used_bps DESC, a.id',
};

/** One page. The mark's time is the share of the limit, as a number, where they are listed by that. */
export function listAccounts(sql: Sql, filter: AccountFilter, { limit, after }: Page): Promise<ListedAccount[]> {
  const parameters: unknown[] = [];
  const $ = (value: unknown): string => `$${parameters.push(value)}`;
  const { q, status, creditUsedOver, sort } = filter;
  const beyond: Record<AccountSort, () => string> = {
    newest: () => `(a.created_at, a.id) < (${$(after?.createdAt)}, ${$(after?.id)})`,
    name: () => `(lower(a.name), a.id) > (lower(${$(after?.name)}), ${$(after?.id)})`,
    creditUsed: () => `(-a.used_bps, a.id) > (${$(after === null ? 0 : -after.createdAt.getTime())}::int, ${$(after?.id)})`,
  };
  const [pattern, id] = q === undefined ? [] : [$(q), $(q.trim())];
  const own = [
    'true',
    pattern !== undefined && `(search_form(a.name || E'\\n' || a.email) LIKE ${likePattern(pattern)} OR a.id = ${id})`,
    status !== undefined && `a.status = ${$(status)}`,
  ].filter((condition) => typeof condition === 'string');
  const shown = [
    'true',
    creditUsedOver !== undefined && `a.used_bps > ${$(creditUsedOver * 100)}`,
    after !== null && beyond[sort](),
  ].filter((condition) => typeof condition === 'string');
  return sql.rows(
    `SELECT a.* FROM (SELECT a.*, ${USED_BPS} AS used_bps FROM (SELECT ${STANDING} FROM ${STANDING_TABLES} WHERE ${own.join(' AND ')}) a) a
      WHERE ${shown.join(' AND ')} ${ORDER[sort]} LIMIT ${$(limit)}`,
    parameters,
  );
}
