import type { ChangeFeedRow } from '../../domain/change-feed';
import type { Sql } from '../database';

/** How long changes are kept, s. A reader that was away longer must reload everything. */
export const CHANGE_RETENTION_SECONDS = 120;

/** Maximum of rows per read. */
const MAX_ROWS = 2000;

/** Returns PostgreSQL's current snapshot as text. It marks a position in the table `change_feed`. */
export function readCurrentSnapshot(sql: Sql): Promise<string> {
  return sql.value('SELECT pg_current_snapshot()::text');
}

/**
 * Reads the changes that transactions committed after `snapshot`, and the snapshot for the next read. Successive reads return each change
 * once, even if transactions do not commit in the order in which they began. `rows` is null if there are more than MAX_ROWS changes.
 */
export async function readChangesSince(sql: Sql, snapshot: string): Promise<{ snapshot: string; rows: ChangeFeedRow[] | null }> {
  const found = await sql.one<{ snapshot: string; rows: ChangeFeedRow[] }>(
    `
    SELECT pg_current_snapshot()::text AS snapshot, (
      SELECT COALESCE(jsonb_agg(jsonb_build_object('kind', kind, 'ids', ids) ORDER BY xact, at), '[]') FROM (
        SELECT kind, ids, xact, at FROM change_feed
         WHERE xact >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(xact, $1::pg_snapshot) LIMIT ${MAX_ROWS + 1}) new_changes) AS rows`,
    [snapshot],
  );
  return { snapshot: found.snapshot, rows: found.rows.length > MAX_ROWS ? null : found.rows };
}

const DELETE_BATCH_SIZE = 20_000;

/**
 * Deletes changes past their retention.
 * @returns whether there may be more
 */
export async function deleteOldChanges(sql: Sql): Promise<boolean> {
  const count = await sql.value<number>(
    `
    WITH deleted AS (
      DELETE FROM change_feed WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM change_feed WHERE at < clock_timestamp() - interval '${CHANGE_RETENTION_SECONDS} seconds' LIMIT ${DELETE_BATCH_SIZE} FOR UPDATE SKIP LOCKED))
      RETURNING 1)
    SELECT count(*) AS count FROM deleted`,
  );
  return count === DELETE_BATCH_SIZE;
}
