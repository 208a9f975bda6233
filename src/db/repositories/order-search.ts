import type { Sql } from '../database';
import { orderByClause, type OrderListQuery } from './order-list';

/** A list that is searched. `isWide`: its conditions are of environment and time alone, which stand beside the text as well. */
export interface OrderSearchQuery extends OrderListQuery {
  isWide: boolean;
}

/** What a text is looked for by: the pattern in the form of what is stored, and the accounts that it names. */
interface SearchTerms {
  pattern: string;
  accounts: string[];
}

/** What most searches are answered from: a text that is common is among the newest. */
const NEWEST_TEXTS = 10_000;
const NEWEST_LISTED = 1_000;

/** The texts under the names that orders have them by. */
const SEARCH_TEXTS = '(SELECT s.order_id AS id, s.environment, s.account_id, s.created_at, s.text FROM order_search s) o';

/**
 * Ids of a page of the list's orders that `text` is part of, or of whose account's name or e-mail address. First the newest are looked
 * through, which ends at once where the text is common; where that fills no page the text is rare, and its trigrams find all there are.
 * The planner is kept from choosing between the two by a guess.
 */
export async function searchOrderIds(sql: Sql, list: OrderSearchQuery, text: string, limit: number): Promise<string[]> {
  const terms = await toSearchTerms(sql, text);
  const newest = list.isWide ? await searchNewest(sql, list, terms, limit) : await searchListed(sql, list, terms, limit);
  return newest ?? searchAll(sql, list, terms, limit);
}

/** SQL of the pattern of what holds a text, given as a parameter; its own wildcards are taken as they are written. */
export const likePattern = (mark: string): string => `'%' || regexp_replace(search_form(${mark}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`;

function toSearchTerms(sql: Sql, text: string): Promise<SearchTerms> {
  return sql.one(
    `
    SELECT p.pattern, ARRAY(SELECT a.id FROM accounts a WHERE search_form(a.name || E'\\n' || a.email) LIKE p.pattern) AS accounts
      FROM (SELECT ${likePattern('$1')} AS pattern OFFSET 0) p`,
    [text],
  );
}

/** SQL of what matches among rows that have `text` and `account_id`; and the marks of what it, and a limit, are given. */
function searchPlaceholders({ parameters }: OrderListQuery) {
  const [pattern, accounts, limit] = [1, 2, 3].map((at) => `$${parameters.length + at}`);
  return {
    pattern,
    accounts: `${accounts}::text[]`,
    limit,
    matches: (row: string): string => `(${row}.text LIKE ${pattern} OR ${row}.account_id IN (SELECT unnest(${accounts}::text[])))`,
  };
}

const searchParameters = (list: OrderListQuery, { pattern, accounts }: SearchTerms, limit: number): unknown[] => [
  ...list.parameters,
  pattern,
  accounts,
  limit,
];

/** A page that is full, or null. */
async function searchNewest(sql: Sql, list: OrderSearchQuery, terms: SearchTerms, limit: number): Promise<string[] | null> {
  const placeholders = searchPlaceholders(list);
  const found = await sql.column<string>(
    `
    SELECT o.id FROM (SELECT o.id, o.created_at, o.account_id, o.text FROM ${SEARCH_TEXTS} WHERE ${list.where} ${orderByClause(list)} LIMIT ${NEWEST_TEXTS}) o
     WHERE ${placeholders.matches('o')} ${orderByClause(list)} LIMIT ${placeholders.limit}`,
    searchParameters(list, terms, limit),
  );
  return found.length === limit ? found : null;
}

/** A page that is full, or all there is; null where there may be more. Lists by due date are short enough to be looked through. */
async function searchListed(sql: Sql, list: OrderSearchQuery, terms: SearchTerms, limit: number): Promise<string[] | null> {
  const placeholders = searchPlaceholders(list);
  const maxListed = list.sort === 'dueDate' ? 'NULL' : NEWEST_LISTED;
  const row = await sql.row<{ listed: number; ids: string[] }>(
    `
    WITH listed AS MATERIALIZED (
      SELECT o.id, o.created_at, o.due_date, o.account_id FROM orders o WHERE ${list.where} ${orderByClause(list)} LIMIT ${maxListed})
    SELECT (SELECT count(*)::int FROM listed) AS listed, ARRAY(
      SELECT o.id FROM listed o CROSS JOIN LATERAL (SELECT s.text, s.account_id FROM order_search s WHERE s.order_id = o.id OFFSET 0) s
       WHERE ${placeholders.matches('s')} ${orderByClause(list)} LIMIT ${placeholders.limit}) AS ids`,
    searchParameters(list, terms, limit),
  );
  const { listed, ids } = row ?? { listed: 0, ids: [] };
  return ids.length === limit || list.sort === 'dueDate' || listed < NEWEST_LISTED ? ids : null;
}

/**
 * By the trigrams, and by the accounts that are named: of those only the ones can be on the page whose newest order is among the newest of
 * all, so each is asked for one order first.
 */
function searchAll(sql: Sql, list: OrderSearchQuery, terms: SearchTerms, limit: number): Promise<string[]> {
  const placeholders = searchPlaceholders(list);
  const newestOf = (account: string, count: string): string =>
    `SELECT o.id, o.created_at FROM orders o WHERE o.account_id = ${account} AND ${list.where} ${orderByClause(list)} LIMIT ${count}`;
  return sql.column(
    `
    WITH texts AS MATERIALIZED (SELECT o.* FROM ${SEARCH_TEXTS} WHERE o.text LIKE ${placeholders.pattern}),
    buyers AS (SELECT b.id FROM unnest(${placeholders.accounts}) b (id) CROSS JOIN LATERAL (${newestOf('b.id', '1')}) o ${orderByClause(list)} LIMIT ${placeholders.limit})
    SELECT o.id FROM (
      (SELECT o.id, o.created_at FROM ${list.isWide ? 'texts o' : 'texts t JOIN orders o USING (id)'} WHERE ${list.where} ${orderByClause(list)} LIMIT ${placeholders.limit})
      UNION
      (SELECT o.id, o.created_at FROM buyers b CROSS JOIN LATERAL (${newestOf('b.id', placeholders.limit ?? '')}) o ${orderByClause(list)} LIMIT ${placeholders.limit})) o
    ${orderByClause(list)} LIMIT ${placeholders.limit}`,
    searchParameters(list, terms, limit),
  );
}
