import type { Sql } from '../database';
import { orderedBy, type OrderList } from './order-list';

/** A list that is searched. `isWide`: its conditions are of environment and time alone, which stand beside the text as well. */
export interface SearchedList extends OrderList {
  isWide: boolean;
}

/** What a text is looked for by: the pattern in the form of what is stored, and the accounts that it names. */
interface Sought {
  pattern: string;
  accounts: string[];
}

/** What most searches are answered from: a text that is common is among the newest. */
const NEWEST_TEXTS = 10_000;
const NEWEST_LISTED = 1_000;

/** The texts under the names that orders have them by. */
const TEXTS = '(SELECT s.order_id AS id, s.environment, s.account_id, s.created_at, s.text FROM order_search s) o';

/**
 * Ids of a page of the list's orders that `text` is part of, or of whose account's name or e-mail address. First the newest are looked
 * through, which ends at once where the text is common; where that fills no page the text is rare, and its trigrams find all there are.
 * The planner is kept from choosing between the two by a guess.
 */
export async function orderIdsLike(sql: Sql, list: SearchedList, text: string, limit: number): Promise<string[]> {
  const sought = await soughtBy(sql, text);
  const newest = list.isWide ? await amongNewest(sql, list, sought, limit) : await amongListed(sql, list, sought, limit);
  return newest ?? rare(sql, list, sought, limit);
}

/** SQL of the pattern of what holds a text, given as a parameter; its own wildcards are taken as they are written. */
export const likePattern = (mark: string): string => `'%' || regexp_replace(search_form(${mark}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`;

function soughtBy(sql: Sql, text: string): Promise<Sought> {
  return sql.one(
    `
    SELECT p.pattern, ARRAY(SELECT a.id FROM accounts a WHERE search_form(a.name || E'\\n' || a.email) LIKE p.pattern) AS accounts
      FROM (SELECT ${likePattern('$1')} AS pattern OFFSET 0) p`,
    [text],
  );
}

/** SQL of what matches among rows that have `text` and `account_id`; and the marks of what it, and a limit, are given. */
function marksOf({ parameters }: OrderList) {
  const [pattern, accounts, limit] = [1, 2, 3].map((at) => `$${parameters.length + at}`);
  return {
    pattern,
    accounts: `${accounts}::text[]`,
    limit,
    matches: (row: string): string => `(${row}.text LIKE ${pattern} OR ${row}.account_id IN (SELECT unnest(${accounts}::text[])))`,
  };
}

const given = (list: OrderList, { pattern, accounts }: Sought, limit: number): unknown[] => [...list.parameters, pattern, accounts, limit];

/** A page that is full, or null. */
async function amongNewest(sql: Sql, list: SearchedList, sought: Sought, limit: number): Promise<string[] | null> {
  const marks = marksOf(list);
  const found = await sql.column<string>(
    `
    SELECT o.id FROM (SELECT o.id, o.created_at, o.account_id, o.text FROM ${TEXTS} WHERE ${list.where} ${orderedBy(list)} LIMIT ${NEWEST_TEXTS}) o
     WHERE ${marks.matches('o')} ${orderedBy(list)} LIMIT ${marks.limit}`,
    given(list, sought, limit),
  );
  return found.length === limit ? found : null;
}

/** A page that is full, or all there is; null where there may be more. Lists by due date are short enough to be looked through. */
async function amongListed(sql: Sql, list: SearchedList, sought: Sought, limit: number): Promise<string[] | null> {
  const marks = marksOf(list);
  const most = list.sort === 'dueDate' ? 'NULL' : NEWEST_LISTED;
  const found = await sql.row<{ listed: number; ids: string[] }>(
    `
    WITH listed AS MATERIALIZED (
      SELECT o.id, o.created_at, o.due_date, o.account_id FROM orders o WHERE ${list.where} ${orderedBy(list)} LIMIT ${most})
    SELECT (SELECT count(*)::int FROM listed) AS listed, ARRAY(
      SELECT o.id FROM listed o CROSS JOIN LATERAL (SELECT s.text, s.account_id FROM order_search s WHERE s.order_id = o.id OFFSET 0) s
       WHERE ${marks.matches('s')} ${orderedBy(list)} LIMIT ${marks.limit}) AS ids`,
    given(list, sought, limit),
  );
  const { listed, ids } = found ?? { listed: 0, ids: [] };
  return ids.length === limit || list.sort === 'dueDate' || listed < NEWEST_LISTED ? ids : null;
}

/**
 * By the trigrams, and by the accounts that are named: of those only the ones can be on the page whose newest order is among the newest of
 * all, so each is asked for one order first.
 */
function rare(sql: Sql, list: SearchedList, sought: Sought, limit: number): Promise<string[]> {
  const marks = marksOf(list);
  const newestOf = (account: string, count: string): string =>
    `SELECT o.id, o.created_at FROM orders o WHERE o.account_id = ${account} AND ${list.where} ${orderedBy(list)} LIMIT ${count}`;
  return sql.column(
    `
    WITH texts AS MATERIALIZED (SELECT o.* FROM ${TEXTS} WHERE o.text LIKE ${marks.pattern}),
    buyers AS (SELECT b.id FROM unnest(${marks.accounts}) b (id) CROSS JOIN LATERAL (${newestOf('b.id', '1')}) o ${orderedBy(list)} LIMIT ${marks.limit})
    SELECT o.id FROM (
      (SELECT o.id, o.created_at FROM ${list.isWide ? 'texts o' : 'texts t JOIN orders o USING (id)'} WHERE ${list.where} ${orderedBy(list)} LIMIT ${marks.limit})
      UNION
      (SELECT o.id, o.created_at FROM buyers b CROSS JOIN LATERAL (${newestOf('b.id', marks.limit ?? '')}) o ${orderedBy(list)} LIMIT ${marks.limit})) o
    ${orderedBy(list)} LIMIT ${marks.limit}`,
    given(list, sought, limit),
  );
}
