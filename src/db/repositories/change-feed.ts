import type { ChangeFeedRow } from '../../domain/change-feed';
import type { Sql } from '../database';

/** How long news is kept, s: whoever did not read for so long reads everything again. */
export const CHANGE_RETENTION_SECONDS = 120;

/** More rows at once are not read. */
const MAX_ROWS = 2000;

/** What has been committed by now, as PostgreSQL writes a snapshot. */
export function readCurrentMark(sql: Sql): Promise<string> {
  return sql.value('SELECT pg_current_snapshot()::text');
}

/**
 * What was committed since `mark`, each row exactly once whatever order transactions commit in, and the mark for the next time.
 * `rows` is null where there is more than can be read at once.
 */
export async function readChangesSince(sql: Sql, mark: string): Promise<{ mark: string; rows: ChangeFeedRow[] | null }> {
  const found = await sql.one<{ mark: string; rows: ChangeFeedRow[] }>(
    `
    SELECT pg_current_snapshot()::text AS mark, (
      SELECT COALESCE(jsonb_agg(jsonb_build_object('kind', kind, 'ids', ids) ORDER BY xact, at), '[]') FROM (
        SELECT kind, ids, xact, at FROM news
         WHERE xact >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(xact, $1::pg_snapshot) LIMIT ${MAX_ROWS + 1}) fresh) AS rows`,
    [mark],
  );
  return { mark: found.mark, rows: found.rows.length > MAX_ROWS ? null : found.rows };
}

const DELETE_BATCH_SIZE = 20_000;

/** Removes news that is older than anybody reads. @returns whether there may be more */
export async function deleteOldChanges(sql: Sql): Promise<boolean> {
  const count = await sql.value<number>(
    `
    WITH old AS (
      DELETE FROM news WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM news WHERE at < clock_timestamp() - interval '${CHANGE_RETENTION_SECONDS} seconds' LIMIT ${DELETE_BATCH_SIZE} FOR UPDATE SKIP LOCKED))
      RETURNING 1)
    SELECT count(*) AS count FROM old`,
  );
  return count === DELETE_BATCH_SIZE;
}
