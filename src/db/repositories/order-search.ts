import type { Sql } from '../database';
import { orderByClause, type OrderListQuery } from './order-list';

/** A list of orders with a search text. */
export interface OrderSearchQuery extends OrderListQuery {
  /** True if the conditions use only environment and time of placement, which are also columns of `order_search`. */
  usesOnlySearchTable: boolean;
}

/** The search pattern in the stored form, and the accounts that match the text. */
interface SearchTerms {
  pattern: string;
  accounts: string[];
}

/** The first step searches only this many of the newest rows of `order_search`, or of the newest orders of the list. */
const NEWEST_TEXTS = 10_000;
const NEWEST_LISTED = 1_000;

/** The rows of `order_search`, with the column names of `orders`. */
const SEARCH_TEXTS = '(SELECT s.order_id AS id, s.environment, s.account_id, s.created_at, s.text FROM order_search s) o';

/**
 * Returns the ids of one page of the list's orders that contain `text`, or whose account's name or e-mail address contains it. First
 * searches the newest orders, which is fast for a common text. If they do not fill a page, the text is rare, and trigrams find all matches.
 * The fixed order of steps replaces the planner's estimates, which are often wrong here.
 */
export async function searchOrderIds(sql: Sql, list: OrderSearchQuery, text: string, limit: number): Promise<string[]> {
  const terms = await toSearchTerms(sql, text);
  const newest = list.usesOnlySearchTable ? await searchNewest(sql, list, terms, limit) : await searchListed(sql, list, terms, limit);
  return newest ?? searchAll(sql, list, terms, limit);
}

/** SQL of a LIKE pattern for text given as a parameter. Escapes the text's own wildcards. */
export const likePattern = (mark: string): string => `'%' || regexp_replace(search_form(${mark}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`;

function toSearchTerms(sql: Sql, text: string): Promise<SearchTerms> {
  return sql.one(
    `
    SELECT p.pattern, ARRAY(SELECT a.id FROM accounts a WHERE search_form(a.name || E'\\n' || a.email) LIKE p.pattern) AS accounts
      FROM (SELECT ${likePattern('$1')} AS pattern OFFSET 0) p`,
    [text],
  );
}

/** Returns placeholders for the search's parameters and its limit, and SQL that matches rows with `text` and `account_id`. */
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

/** Searches the newest rows of `order_search`. Returns a full page, or null if they contain fewer matches. */
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

/**
 * Searches the newest orders of the list. Returns a full page or all matches; null if there may be more. Lists by due date are short enough
 * for a scan.
 */
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
 * Searches all orders by trigrams and by the matching accounts. First reads the newest order of each account, because only accounts with
 * one of the newest orders can be on the page.
 */
function searchAll(sql: Sql, list: OrderSearchQuery, terms: SearchTerms, limit: number): Promise<string[]> {
  const placeholders = searchPlaceholders(list);
  const newestOf = (account: string, count: string): string =>
    `SELECT o.id, o.created_at FROM orders o WHERE o.account_id = ${account} AND ${list.where} ${orderByClause(list)} LIMIT ${count}`;
  return sql.column(
    `
    WITH matching_texts AS MATERIALIZED (SELECT o.* FROM ${SEARCH_TEXTS} WHERE o.text LIKE ${placeholders.pattern}),
    matching_accounts AS (SELECT b.id FROM unnest(${placeholders.accounts}) b (id) CROSS JOIN LATERAL (${newestOf('b.id', '1')}) o ${orderByClause(list)} LIMIT ${placeholders.limit})
    SELECT o.id FROM (
      (SELECT o.id, o.created_at FROM ${list.usesOnlySearchTable ? 'matching_texts o' : 'matching_texts t JOIN orders o USING (id)'} WHERE ${list.where} ${orderByClause(list)} LIMIT ${placeholders.limit})
      UNION
      (SELECT o.id, o.created_at FROM matching_accounts b CROSS JOIN LATERAL (${newestOf('b.id', placeholders.limit ?? '')}) o ${orderByClause(list)} LIMIT ${placeholders.limit})) o
    ${orderByClause(list)} LIMIT ${placeholders.limit}`,
    searchParameters(list, terms, limit),
  );
}
