import type { Sql } from '../database';
import { STORED_UPLOAD_COLUMNS, type StoredUpload } from './uploads';

/** SQL condition: no order and no orderable quote uses the upload. */
const IS_UNUSED = (quotedBefore: string): string =>
  `used_at IS NULL AND retired_at IS NULL AND (quoted_until IS NULL OR quoted_until < ${quotedBefore})`;

/** Finds expired upload targets without a file that no order or quote uses at `now`. Their URLs expired before `endedBefore`. */
export function findUploadsWithoutBytes(sql: Sql, endedBefore: Date, now: Date, limit: number): Promise<StoredUpload[]> {
  return sql.rows(
    `
    SELECT ${STORED_UPLOAD_COLUMNS.list} FROM uploads
     WHERE expires_at < $1 AND received_at IS NULL AND ${IS_UNUSED('$2')} ORDER BY expires_at LIMIT $3`,
    [endedBefore, now, limit],
  );
}

/** Finds uploads with a file that no order or quote has used since `since`. */
export function findUnusedUploads(sql: Sql, since: Date, limit: number): Promise<string[]> {
  return sql.column(
    `
    SELECT id FROM uploads WHERE expires_at < $1 AND received_at IS NOT NULL AND ${IS_UNUSED('$1')} ORDER BY expires_at LIMIT $2`,
    [since, limit],
  );
}

/**
 * Retires the uploads that are still unused. New quotes cannot use them.
 * @returns how many were retired
 */
export async function retireUploads(sql: Sql, ids: string[], now: Date): Promise<number> {
  if (ids.length === 0) return 0;
  return (
    await sql.rows(
      `
    UPDATE uploads SET retired_at = $2 WHERE id IN (SELECT id FROM uploads WHERE id = ANY ($1) AND ${IS_UNUSED('$2')} ORDER BY id FOR UPDATE SKIP LOCKED) RETURNING id`,
      [ids, now],
    )
  ).length;
}

/** Restores retired uploads that a quote request has used meanwhile. */
export async function restoreUsedUploads(sql: Sql, now: Date): Promise<void> {
  await sql.run(
    `
    UPDATE uploads SET retired_at = NULL WHERE id IN (
      SELECT id FROM uploads WHERE retired_at IS NOT NULL AND (used_at IS NOT NULL OR quoted_until >= $1) ORDER BY id FOR UPDATE SKIP LOCKED)`,
    [now],
  );
}

/** Uploads that were retired long enough ago and are still unused. */
export function findRemovableUploads(
  sql: Sql,
  retiredBefore: Date,
  now: Date,
  limit: number,
): Promise<Pick<StoredUpload, 'id' | 'storage_key'>[]> {
  return sql.rows(
    `
    SELECT id, storage_key FROM uploads WHERE retired_at < $1 AND used_at IS NULL AND (quoted_until IS NULL OR quoted_until < $2)
     ORDER BY retired_at LIMIT $3`,
    [retiredBefore, now, limit],
  );
}

/** Puts uploads whose files could not be removed behind the others. They are tried again an hour later. */
export async function postponeRemoval(sql: Sql, ids: readonly string[], now: Date): Promise<void> {
  await sql.run('UPDATE uploads SET retired_at = $2 WHERE id = ANY ($1) AND retired_at IS NOT NULL', [ids, now]);
}

/** Deletes the upload's row. Call it after its file is deleted. */
export async function deleteUpload(sql: Sql, id: string): Promise<void> {
  await sql.run('DELETE FROM uploads WHERE id = $1 AND retired_at IS NOT NULL AND used_at IS NULL', [id]);
}

/** The storage keys without an upload, or with an erased upload whose file was sent again. */
export async function findUnknownKeys(sql: Sql, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  return sql.column(
    'SELECT key FROM unnest($1::text[]) key WHERE NOT EXISTS (SELECT 1 FROM uploads WHERE storage_key = key AND (erased_at IS NULL OR erasure_started_at IS NOT NULL))',
    [keys],
  );
}

/** Position of a sweep; '' at its start. */
export async function readSweepPosition(sql: Sql, name: string): Promise<string> {
  return (await sql.value<string | null>('SELECT after_key FROM sweep_positions WHERE name = $1', [name])) ?? '';
}

export async function writeSweepPosition(sql: Sql, name: string, afterKey: string): Promise<void> {
  await sql.run('INSERT INTO sweep_positions (name, after_key) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET after_key = $2', [
    name,
    afterKey,
  ]);
}
