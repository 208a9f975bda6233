import type { Environment } from '../../domain/limits';
import { rows, type Sql } from '../data-source';

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
}

export async function insertUpload(sql: Sql, upload: NewUpload): Promise<void> {
  await sql.query(
    `INSERT INTO uploads (id, account_id, environment, key_id, filename, content_type, size_bytes, storage_key, url, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [upload.id, upload.accountId, upload.environment, upload.keyId, upload.filename, upload.contentType, upload.sizeBytes, upload.storageKey, upload.url, upload.createdAt],
  );
}

/** Those of `urls` that this account was given, in either environment, from any of its keys (ruling 24). */
export async function ownedUrls(sql: Sql, accountId: string, urls: string[]): Promise<Set<string>> {
  if (urls.length === 0) return new Set();
  const owned = await rows<{ url: string }>(sql, 'SELECT url FROM uploads WHERE account_id = $1 AND url = ANY ($2)', [accountId, urls]);
  return new Set(owned.map(({ url }) => url));
}
