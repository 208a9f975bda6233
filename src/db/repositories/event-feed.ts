import type { StoredEventType } from '../../domain/events';
import { inFeedOrder, type UnpositionedEvent } from '../../domain/event-positions';
import type { Environment } from '../../domain/limits';
import { advisoryLockId } from '../../security/fingerprint';
import type { Sql } from '../database';
import { columns, text, type RowOf } from '../columns';

/**
 * The events of an account in an environment, in a fixed order. An event gets its `feed_position` after its commit, under the feed's lock
 * and above all earlier positions. A reader that continues after a position therefore misses no event, and writers do not wait for each
 * other.
 */
export interface Feed {
  accountId: string;
  environment: Environment;
}

/** An event's id and its exact text. */
const FEED_EVENT_COLUMNS = columns('order_events', {
  id: text,
  body: text,
});
export type FeedEvent = RowOf<typeof FEED_EVENT_COLUMNS>;

const IN_FEED = 'account_id = $1 AND environment = $2';

/** How long a request waits while another process assigns positions, ms. */
const LOCK_TIMEOUT_MS = 300;

/** SQL that takes the feed's lock until the transaction ends. */
export function feedLockSql({ accountId, environment }: Feed): string {
  return `SET LOCAL lock_timeout = '${LOCK_TIMEOUT_MS}ms'; SELECT pg_advisory_xact_lock(${advisoryLockId(`events\n${accountId}\n${environment}`)})`;
}

/** Whether a statement failed because it waited too long for a lock. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03';

/**
 * Assigns positions to about `limit` events without one, oldest first, and to earlier events of the same orders. Skips events that another
 * transaction has locked, so nothing waits here. The feed's lock is taken in a separate statement, because the next statement must see
 * every position that was assigned under the lock.
 * @returns how many events got a position
 */
export async function assignPositions(sql: Sql, feed: Feed, limit: number): Promise<number> {
  await sql.run(feedLockSql(feed));
  const unpositioned = await findOldestUnpositioned(sql, feed, limit);
  if (unpositioned.length === 0) return 0;
  const unlocked = await sql.column<string>('SELECT id FROM order_events WHERE id = ANY ($1) FOR NO KEY UPDATE SKIP LOCKED', [
    unpositioned.map(({ id }) => id),
  ]);
  const ordered = inFeedOrder(unpositioned, new Set(unlocked));
  const lastPosition = (await findLastPositioned(sql, feed))?.feed_position ?? 0;
  await sql.run('UPDATE order_events e SET feed_position = l.place FROM unnest($1::text[], $2::bigint[]) l (id, place) WHERE e.id = l.id', [
    ordered,
    ordered.map((_, index) => lastPosition + 1 + index),
  ]);
  return ordered.length;
}

/**
 * Finds the oldest events without a position, and all earlier ones of the same orders. The OFFSET makes PostgreSQL search each order
 * separately. Without it, PostgreSQL sorts all such events if many were inserted since its last statistics.
 */
async function findOldestUnpositioned(sql: Sql, { accountId, environment }: Feed, limit: number): Promise<UnpositionedEvent[]> {
  const orders = await sql.rows<{ order_id: string; upto: number }>(
    `
    SELECT order_id, max(sequence) AS upto FROM (
      SELECT order_id, sequence FROM order_events WHERE ${IN_FEED} AND feed_position IS NULL ORDER BY created_at, id LIMIT $3) oldest GROUP BY order_id`,
    [accountId, environment, limit],
  );
  return sql.rows(
    `
    SELECT e.id, o.order_id AS "orderId", e.sequence, e.part, e.created_at AS "createdAt"
      FROM unnest($1::text[], $2::integer[]) o (order_id, upto) CROSS JOIN LATERAL (
        SELECT id, sequence, part, created_at, feed_position FROM order_events WHERE order_id = o.order_id AND sequence <= o.upto OFFSET 0) e
     WHERE e.feed_position IS NULL`,
    [orders.map(({ order_id: id }) => id), orders.map(({ upto }) => upto)],
  );
}

/** The newest event with a position. */
export function findLastPositioned(sql: Sql, { accountId, environment }: Feed): Promise<{ id: string; feed_position: number } | null> {
  return sql.row(
    `SELECT id, feed_position FROM order_events WHERE ${IN_FEED} AND feed_position IS NOT NULL ORDER BY feed_position DESC LIMIT 1`,
    [accountId, environment],
  );
}

export function hasUnpositioned(sql: Sql, { accountId, environment }: Feed): Promise<boolean> {
  return sql.exists(`SELECT id FROM order_events WHERE ${IN_FEED} AND feed_position IS NULL ORDER BY created_at, id LIMIT 1`, [
    accountId,
    environment,
  ]);
}

/** The position of an event in this feed; null before it has one, undefined if the feed has no such event. */
export async function findPosition(sql: Sql, { accountId, environment }: Feed, eventId: string): Promise<number | null | undefined> {
  const row = await sql.row<{ feed_position: number | null }>(`SELECT feed_position FROM order_events WHERE ${IN_FEED} AND id = $3`, [
    accountId,
    environment,
    eventId,
  ]);
  return row?.feed_position;
}

/** SQL: the position of the event `$3`; null is before the first. */
const POSITION_AFTER = `(CASE WHEN $3::text IS NULL THEN 0 ELSE (SELECT feed_position FROM order_events WHERE ${IN_FEED} AND id = $3) END)`;

/** Limits of one read: the types and the number of events, and the bytes of their bodies with one comma each. The first event is always returned. */
export interface FeedBounds {
  limit: number;
  bytes: number;
  types: readonly StoredEventType[];
}

/**
 * Reads the events after the event with the id `after`, within the bounds; null starts with the oldest. `isCut` is true if more events
 * follow. Returns none if `after` has no position. The database adds up the sizes of `limit` + 1 bodies without reading them, and reads
 * only those that it returns.
 */
export async function findEventsAfter(
  sql: Sql,
  { accountId, environment }: Feed,
  after: string | null,
  { limit, bytes, types }: FeedBounds,
): Promise<{ events: FeedEvent[]; isCut: boolean }> {
  const found = await sql.rows<FeedEvent & { found: number }>(
    `
    SELECT ${FEED_EVENT_COLUMNS.list}, found FROM (
      SELECT ${FEED_EVENT_COLUMNS.list}, row_number() OVER place AS number, sum(octet_length(body) + 1) OVER place AS bytes, count(*) OVER ()::int AS found
        FROM (SELECT ${FEED_EVENT_COLUMNS.list}, feed_position FROM order_events
               WHERE ${IN_FEED} AND feed_position > ${POSITION_AFTER} AND type = ANY ($6) ORDER BY feed_position LIMIT $4 + 1) following
      WINDOW place AS (ORDER BY feed_position ROWS UNBOUNDED PRECEDING)) sized
     WHERE number = 1 OR number <= $4 AND bytes <= $5 ORDER BY number`,
    [accountId, environment, after, limit, bytes, types],
  );
  return { events: found.map(({ id, body }) => ({ id, body })), isCut: (found[0]?.found ?? 0) > found.length };
}

/** Feeds with events that were created before `before` and have no position. */
export async function findFeedsWithUnpositioned(sql: Sql, before: Date, limit: number): Promise<Feed[]> {
  const rows = await sql.rows<{ account_id: string; environment: Environment }>(
    'SELECT DISTINCT account_id, environment FROM order_events WHERE feed_position IS NULL AND created_at < $1 LIMIT $2',
    [before, limit],
  );
  return rows.map(({ account_id: accountId, environment }) => ({ accountId, environment }));
}
