import type { SearchTerm } from '../../domain/search-text';
import type { Sql } from '../database';
import { orderByClause, type OrderListQuery } from './order-list';

/** A list of orders with a search text. */
export interface OrderSearchQuery extends OrderListQuery {
  /** True if the conditions use only environment and time of placement, which are also columns of `order_search`. */
  usesOnlySearchTable: boolean;
}

/** Accounts whose name or e-mail address has some of the terms, and the other terms. */
interface MatchingAccounts {
  accounts: string[];
  others: SearchTerm[];
}

type Bind = (value: unknown) => string;

/** Adds values to the parameters of a statement. A repeated value has one parameter, because PostgreSQL accepts only 65,535. */
function bindOnce(parameters: unknown[]): Bind {
  const marks = new Map<unknown, string>();
  return (value) => {
    const mark = marks.get(value) ?? `$${parameters.push(value)}`;
    marks.set(value, mark);
    return mark;
  };
}

/** The first step searches only this many of the newest rows of `order_search`, or of the newest orders of the list. */
const NEWEST_TEXTS = 10_000;
const NEWEST_LISTED = 1_000;
/** Accounts can have many combinations of the terms. Those with the most terms count. */
const MAX_COMBINATIONS = 16;

/** The rows of `order_search`, with the column names of `orders`. */
const SEARCH_TEXTS = '(SELECT s.order_id AS id, s.environment, s.account_id, s.created_at, s.text FROM order_search s) o';
/** SQL over `accounts a`, as in their index. */
const ACCOUNT_TEXT = String.raw`search_form(a.name || E'\n' || a.email)`;

/** The stored form of texts and searches (`search_form` in the migrations). */
export const toSearchForm = (sql: Sql, text: string): Promise<string> => sql.value('SELECT search_form($1)', [text]);

/**
 * Returns the ids of one page of the list's orders that have each term in their text or in the name or e-mail address of their account.
 * First searches the newest orders, which is fast for a common text. If they do not fill a page, the text is rare, and trigrams find all
 * matches. The fixed order of steps replaces the planner's estimates, which are often wrong here.
 */
export async function searchOrderIds(sql: Sql, list: OrderSearchQuery, terms: readonly SearchTerm[], limit: number): Promise<string[]> {
  const search = { list, terms, limit, matching: await findAccounts(sql, terms) };
  const newest = list.usesOnlySearchTable ? await searchNewest(sql, search) : await searchListed(sql, search);
  return newest ?? searchAll(sql, search);
}

/** SQL: the text has each of these terms. */
export const hasTerms = (text: string, terms: readonly SearchTerm[], bind: Bind): string =>
  ['true', ...terms.map((term) => hasTerm(text, term, bind))].join(' AND ');

const hasTerm = (text: string, term: SearchTerm, bind: Bind): string =>
  `(${term.map((patterns) => patterns.map((pattern) => `${text} LIKE ${bind(pattern)}`).join(' AND ')).join(' OR ')})`;

/** SQL over `accounts a`: the name and e-mail address have each of these terms. */
export const accountHasTerms = (terms: readonly SearchTerm[], bind: Bind): string => hasTerms(ACCOUNT_TEXT, terms, bind);

async function findAccounts(sql: Sql, terms: readonly SearchTerm[]): Promise<MatchingAccounts[]> {
  const parameters: unknown[] = [];
  const bind = bindOnce(parameters);
  const conditions = terms.map((term) => hasTerm(ACCOUNT_TEXT, term, bind));
  const found = await sql.rows<{ accounts: string[]; matched: boolean[] }>(
    `SELECT array_agg(m.id) AS accounts, m.matched FROM (
       SELECT a.id, ARRAY[${conditions.join(', ')}] AS matched FROM accounts a
        WHERE ${conditions.join(' OR ')}) m
      GROUP BY m.matched ORDER BY cardinality(array_positions(m.matched, true)) DESC LIMIT ${MAX_COMBINATIONS}`,
    parameters,
  );
  return found.map(({ accounts, matched }) => ({ accounts, others: terms.filter((_, at) => matched[at] !== true) }));
}

interface Search {
  list: OrderSearchQuery;
  terms: readonly SearchTerm[];
  matching: readonly MatchingAccounts[];
  limit: number;
}

/** Returns the parameters of the list and its limit, and SQL that matches rows with `text` and `account_id`. */
function searchPlaceholders({ list, terms, limit }: Search) {
  const parameters = [...list.parameters];
  const bind = bindOnce(parameters);
  const ofAccounts = (row: string, { accounts, others }: MatchingAccounts): string =>
    `(${row}.account_id IN (SELECT unnest(${bind(accounts)}::text[])) AND ${hasTerms(`${row}.text`, others, bind)})`;
  return {
    parameters,
    bind,
    limit: bind(limit),
    matches: (row: string, matching: readonly MatchingAccounts[]): string =>
      `(${[`(${hasTerms(`${row}.text`, terms, bind)})`, ...matching.map((accounts) => ofAccounts(row, accounts))].join(' OR ')})`,
  };
}

/** Searches the newest rows of `order_search`. Returns a full page, or null if they contain fewer matches. */
async function searchNewest(sql: Sql, search: Search): Promise<string[] | null> {
  const { list, limit } = search;
  const placeholders = searchPlaceholders(search);
  const found = await sql.column<string>(
    `
    SELECT o.id FROM (SELECT o.id, o.created_at, o.account_id, o.text FROM ${SEARCH_TEXTS} WHERE ${list.where} ${orderByClause(list)} LIMIT ${NEWEST_TEXTS}) o
     WHERE ${placeholders.matches('o', search.matching)} ${orderByClause(list)} LIMIT ${placeholders.limit}`,
    placeholders.parameters,
  );
  return found.length === limit ? found : null;
}

/**
 * Searches the newest orders of the list. Returns a full page or all matches; null if there may be more. Lists by due date are short enough
 * for a scan.
 */
async function searchListed(sql: Sql, search: Search): Promise<string[] | null> {
  const { list, limit } = search;
  const placeholders = searchPlaceholders(search);
  const maxListed = list.sort === 'dueDate' ? 'NULL' : NEWEST_LISTED;
  const row = await sql.row<{ listed: number; ids: string[] }>(
    `
    WITH listed AS MATERIALIZED (
      SELECT o.id, o.created_at, o.due_date, o.account_id FROM orders o WHERE ${list.where} ${orderByClause(list)} LIMIT ${maxListed})
    SELECT (SELECT count(*)::int FROM listed) AS listed, ARRAY(
      SELECT o.id FROM listed o CROSS JOIN LATERAL (SELECT s.text, s.account_id FROM order_search s WHERE s.order_id = o.id OFFSET 0) s
       WHERE ${placeholders.matches('s', search.matching)} ${orderByClause(list)} LIMIT ${placeholders.limit}) AS ids`,
    placeholders.parameters,
  );
  const { listed, ids } = row ?? { listed: 0, ids: [] };
  return ids.length === limit || list.sort === 'dueDate' || listed < NEWEST_LISTED ? ids : null;
}

/**
 * Searches all orders by trigrams and by the accounts that have all terms. First reads the newest order of each of these accounts, because
 * only accounts with one of the newest orders can be on the page.
 */
function searchAll(sql: Sql, search: Search): Promise<string[]> {
  const { list, matching } = search;
  const { parameters, bind, limit, matches } = searchPlaceholders(search);
  const accounts = bind(matching.flatMap((found) => (found.others.length === 0 ? found.accounts : [])));
  const texts = matches(
    'o',
    matching.filter(({ others }) => others.length > 0),
  );
  const newestOf = (account: string, count: string): string =>
    `SELECT o.id, o.created_at FROM orders o WHERE o.account_id = ${account} AND ${list.where} ${orderByClause(list)} LIMIT ${count}`;
  return sql.column(
    `
    WITH matching_texts AS MATERIALIZED (SELECT o.* FROM ${SEARCH_TEXTS} WHERE ${texts}),
    matching_accounts AS (SELECT b.id FROM unnest(${accounts}::text[]) b (id) CROSS JOIN LATERAL (${newestOf('b.id', '1')}) o ${orderByClause(list)} LIMIT ${limit})
    SELECT o.id FROM (
      (SELECT o.id, o.created_at FROM ${list.usesOnlySearchTable ? 'matching_texts o' : 'matching_texts t JOIN orders o USING (id)'} WHERE ${list.where} ${orderByClause(list)} LIMIT ${limit})
      UNION
      (SELECT o.id, o.created_at FROM matching_accounts b CROSS JOIN LATERAL (${newestOf('b.id', limit)}) o ${orderByClause(list)} LIMIT ${limit})) o
    ${orderByClause(list)} LIMIT ${limit}`,
    parameters,
  );
}
