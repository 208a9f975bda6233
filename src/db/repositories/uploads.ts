import { ARTWORK_GRACE_MS } from '../../domain/artwork-rules';
import { LIMITS, type Environment, type UploadContentType } from '../../domain/limits';
import { advisoryLockId } from '../../security/fingerprint';
import type { Database, Sql } from '../database';
import { columns, integer, nullable, text, time, typed, type RowOf } from '../columns';

export interface NewUpload {
  id: string;
  accountId: string;
  environment: Environment;
  keyId: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  storageKey: string;
  url: string;
  createdAt: Date;
  expiresAt: Date;
}

/** The limits of an account, and the upload targets that no longer count towards them. */
export interface TargetLimits {
  quotaBytes: number;
  /** Targets whose URL expired before this time do not count: their files would have been noticed by now. */
  endedBefore: Date;
  /** Expired targets that are known to have no file. */
  absentIds: readonly string[];
}

/** Reasons to refuse a target. */
export type TargetRefusal =
  { reason: 'limit'; firstClosesAt: Date } | { reason: 'quota'; usedBytes: number } | { reason: 'arrived' } | { reason: 'removed' };

/**
 * Stores a target, or the new expiry of an existing target without a file. Refuses it if the account has too many open targets, or if its
 * files would exceed the quota.
 * @returns null if it is stored
 */
export async function insertUpload(database: Database, upload: NewUpload, limits: TargetLimits): Promise<TargetRefusal | null> {
  const [, row] = await database.transaction((sql) =>
    sql.commitWith(() => Promise.all([sql.run(targetsLockSql(upload.accountId)), insertWithinLimits(sql, upload, limits)])),
  );
  if (row === null || row.is_stored) return null;
  if (row.is_limit) return { reason: 'limit', firstClosesAt: row.first };
  if (row.is_over) return { reason: 'quota', usedBytes: row.used_bytes };
  return { reason: (await findUpload(database, upload.accountId, upload)) === null ? 'removed' : 'arrived' };
}

/** Requires the lock of the account's upload targets. */
function insertWithinLimits(
  sql: Sql,
  upload: NewUpload,
  limits: TargetLimits,
): Promise<{ is_stored: boolean; is_limit: boolean; first: Date; is_over: boolean; used_bytes: number } | null> {
  return sql.row(
    `
    WITH awaited_targets AS (SELECT id, size_bytes, expires_at FROM uploads WHERE account_id = $2 AND received_at IS NULL AND erased_at IS NULL AND expires_at > $13 AND id <> $1),
    open_targets AS (SELECT count(*) AS count, min(expires_at) AS first FROM awaited_targets WHERE expires_at > $10),
    used_storage AS (
      SELECT (COALESCE((SELECT stored_bytes FROM artwork_usage WHERE account_id = $2), 0)
            + COALESCE((SELECT sum(size_bytes) FROM awaited_targets WHERE NOT id = ANY ($15::text[])), 0))::bigint AS bytes),
    stored_target AS (
      INSERT INTO uploads (id, account_id, environment, key_id, filename, content_type, size_bytes, storage_key, url, created_at, expires_at)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM open_targets, used_storage WHERE count < $12 AND bytes + $7 <= $14
      ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at
        WHERE uploads.received_at IS NULL AND uploads.retired_at IS NULL AND uploads.erased_at IS NULL RETURNING 1)
    SELECT EXISTS (SELECT 1 FROM stored_target) AS is_stored, count >= $12 AS is_limit, first, bytes + $7 > $14 AS is_over, bytes AS used_bytes FROM open_targets, used_storage`,
    [
      upload.id,
      upload.accountId,
      upload.environment,
      upload.keyId,
      upload.filename,
      upload.contentType,
      upload.sizeBytes,
      upload.storageKey,
      upload.url,
      upload.createdAt,
      upload.expiresAt,
      LIMITS.openTargetsPerAccount,
      limits.endedBefore,
      limits.quotaBytes,
      limits.absentIds,
    ],
  );
}

/** SQL that locks the account's upload targets until the transaction ends, so that they can be counted. */
export function targetsLockSql(accountId: string): string {
  return `SELECT pg_advisory_xact_lock(${advisoryLockId(`upload targets\n${accountId}`)})`;
}

const UPLOAD_COLUMNS = columns('uploads', {
  id: text,
  account_id: text,
  storage_key: text,
  size_bytes: integer,
  /** When the file was found to have arrived; null before that. */
  received_at: nullable(time),
  checksum: nullable(text),
  /** Since when an inspection is due; null if none is due. */
  inspect_at: nullable(time),
  filename: text,
  content_type: typed<UploadContentType>(),
  url: text,
  created_at: time,
  expires_at: time,
});
export type UploadRow = RowOf<typeof UPLOAD_COLUMNS>;

/** The columns that are compared with the store. */
export const STORED_UPLOAD_COLUMNS = UPLOAD_COLUMNS.only('id', 'storage_key', 'size_bytes', 'received_at', 'checksum');
export type StoredUpload = RowOf<typeof STORED_UPLOAD_COLUMNS>;

/** The account's upload with this id or URL, in either environment; null if there is none or it is being removed. */
export function findUpload(sql: Sql, accountId: string, by: { id: string } | { url: string }): Promise<UploadRow | null> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['url', by.url];
  return sql.row(
    `SELECT ${UPLOAD_COLUMNS.of('u')} FROM uploads u WHERE u.${column} = $1 AND u.account_id = $2 AND u.retired_at IS NULL AND u.erased_at IS NULL`,
    [value, accountId],
  );
}

/** Locks the upload's row until the transaction ends; null if there is none or it was erased. */
export function lockUpload(sql: Sql, upload: { key: string } | { id: string }): Promise<StoredUpload | null> {
  const [column, value] = 'key' in upload ? ['storage_key', upload.key] : ['id', upload.id];
  return sql.row(`SELECT ${STORED_UPLOAD_COLUMNS.list} FROM uploads WHERE ${column} = $1 AND erased_at IS NULL FOR UPDATE`, [value]);
}

/** Finds the account's largest targets without a known file, except those that expired before `endedBefore`. */
export function findAwaitedUploads(sql: Sql, accountId: string, endedBefore: Date): Promise<(StoredUpload & { expires_at: Date })[]> {
  return sql.rows(
    `SELECT ${STORED_UPLOAD_COLUMNS.list}, expires_at FROM uploads WHERE account_id = $1 AND received_at IS NULL AND erased_at IS NULL AND expires_at > $2
      ORDER BY size_bytes DESC, id LIMIT $3`,
    [accountId, endedBefore, LIMITS.openTargetsPerAccount],
  );
}

/** Finds those of `urls` without a known file, or whose file may have been replaced since the last check. */
export function findUnconfirmedUploads(sql: Sql, accountId: string, urls: string[]): Promise<StoredUpload[]> {
  return sql.rows(
    `SELECT ${STORED_UPLOAD_COLUMNS.list} FROM uploads WHERE account_id = $1 AND url = ANY ($2) AND (received_at IS NULL OR received_at < expires_at + interval '${ARTWORK_GRACE_MS} milliseconds')`,
    [accountId, urls],
  );
}
