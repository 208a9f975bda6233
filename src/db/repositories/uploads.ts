import { LIMITS, type Environment } from '../../domain/limits';
import { lockNumber } from '../../security/fingerprint';
import type { Sql } from '../database';
import { columns, integer, orNull, text, time, type RowOf } from '../columns';

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

/**
 * Stores the target unless the account already has as many open ones without bytes as it may (ruling 49). Exact only under `targetsLock`.
 * @returns null where it is stored, else when the first of those targets closes
 */
export async function insertUpload(sql: Sql, upload: NewUpload): Promise<Date | null> {
  const open = await sql.row<{ stored: boolean; first: Date }>(
    `
    WITH open AS (SELECT count(*) AS count, min(expires_at) AS first FROM uploads WHERE account_id = $2 AND received_at IS NULL AND expires_at > $10),
    stored AS (
      INSERT INTO uploads (id, account_id, environment, key_id, filename, content_type, size_bytes, storage_key, url, created_at, expires_at)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM open WHERE count < $12 RETURNING 1)
    SELECT EXISTS (SELECT 1 FROM stored) AS stored, first FROM open`,
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
    ],
  );
  return open === null || open.stored ? null : open.first;
}

/** SQL that takes the lock under which an account's open targets are counted, until the transaction ends. */
export function targetsLock(accountId: string): string {
  return `SELECT pg_advisory_xact_lock(${lockNumber(`upload targets\n${accountId}`)})`;
}

/** Those of `urls` that this account may order with: given to any of its keys, in either environment, and not being removed (ruling 24). */
export async function ownedUrls(sql: Sql, accountId: string, urls: string[]): Promise<Set<string>> {
  if (urls.length === 0) return new Set();
  const owned = await sql.rows<{ url: string }>(
    'SELECT url FROM uploads WHERE account_id = $1 AND url = ANY ($2) AND retired_at IS NULL AND erased_at IS NULL',
    [accountId, urls],
  );
  return new Set(owned.map(({ url }) => url));
}

const UPLOAD_COLUMNS = columns('uploads', {
  id: text,
  storage_key: text,
  size_bytes: integer,
  /** Null while nobody knows of its bytes. */
  received_at: orNull(time),
  checksum: orNull(text),
  filename: text,
  content_type: text,
  url: text,
  created_at: time,
  expires_at: time,
});
export type UploadRow = RowOf<typeof UPLOAD_COLUMNS>;

/** What the store is asked about, and what is known of it. */
export const STORED_COLUMNS = UPLOAD_COLUMNS.only('id', 'storage_key', 'size_bytes', 'received_at', 'checksum');
export type StoredUpload = RowOf<typeof STORED_COLUMNS>;

/** The account's upload of this id, in either environment, or null; also null while it is being removed (ruling 24). */
export function findUpload(sql: Sql, accountId: string, uploadId: string): Promise<UploadRow | null> {
  return sql.row(
    `SELECT ${UPLOAD_COLUMNS.of('u')} FROM uploads u WHERE u.id = $1 AND u.account_id = $2 AND u.retired_at IS NULL AND u.erased_at IS NULL`,
    [uploadId, accountId],
  );
}

/** Locks the upload's row until the transaction ends; null where there is no such upload, or it was erased. */
export function lockUpload(sql: Sql, upload: { key: string } | { id: string }): Promise<StoredUpload | null> {
  const [column, value] = 'key' in upload ? ['storage_key', upload.key] : ['id', upload.id];
  return sql.row(`SELECT ${STORED_COLUMNS.list} FROM uploads WHERE ${column} = $1 AND erased_at IS NULL FOR UPDATE`, [value]);
}

/** The account's targets that are open and of whose bytes nobody knows. */
export function openTargets(sql: Sql, accountId: string, now: Date): Promise<StoredUpload[]> {
  return sql.rows(`SELECT ${STORED_COLUMNS.list} FROM uploads WHERE account_id = $1 AND received_at IS NULL AND expires_at > $2 LIMIT $3`, [
    accountId,
    now,
    LIMITS.openTargetsPerAccount,
  ]);
}

/** Those of `urls` whose bytes nobody knows of, or could have been replaced since somebody asked. */
export function unsettledUploads(sql: Sql, accountId: string, urls: string[]): Promise<StoredUpload[]> {
  return sql.rows(
    `SELECT ${STORED_COLUMNS.list} FROM uploads WHERE account_id = $1 AND url = ANY ($2) AND (received_at IS NULL OR received_at < expires_at)`,
    [accountId, urls],
  );
}
