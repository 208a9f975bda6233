import { rowId, STORED_SECTIONS } from '../domain/catalogue';
import { SEED_CATALOGUE } from './seed/catalogue';
import { FIRST_PRICE_BOOK } from './seed/price-book';
import { hashKey, newApiKey, apiKeyPrefix } from '../security/api-keys';
import { sha256 } from '../security/fingerprint';
import { newId } from '../security/ids';
import { SCOPES, type Environment } from '../domain/limits';
import type { Database, Sql } from './database';

/** Puts the first catalogue and price book where there is none; what the studio has changed since stays. */
export async function seed(database: Database, now: Date): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock(7311202)');
    await seedCatalogue(sql, now);
    const document = JSON.stringify(FIRST_PRICE_BOOK);
    await sql.run(
      `INSERT INTO price_books (version, document, sha256, effective_at, published_by, created_at) VALUES (1, $1, $2, '2020-01-01', 'seed', $3)
       ON CONFLICT DO NOTHING`,
      [document, sha256(document), now],
    );
    await sql.run(`INSERT INTO settings (name, value, updated_at) VALUES ('criticalRushEnabled', 'false', $1) ON CONFLICT DO NOTHING`, [
      now,
    ]);
  });
}

async function seedCatalogue(sql: Sql, now: Date): Promise<void> {
  const seeded = STORED_SECTIONS.flatMap((section) =>
    SEED_CATALOGUE[section].map((content, position) => ({ section, id: rowId(section, content), position, content })),
  );
  await sql.run(
    `INSERT INTO catalogue_rows (section, id, position, content, updated_at)
     SELECT section, id, position, content, $2 FROM jsonb_to_recordset($1::jsonb) AS s(section text, id text, position int, content jsonb)
      WHERE NOT EXISTS (SELECT 1 FROM catalogue_rows)`,
    [JSON.stringify(seeded), now],
  );
}

export interface DemoAccount {
  accountId: string;
  accountName: string;
  testKey: string;
  liveKey: string;
}

/** A trade account to try things with, on an empty database; null where accounts exist. Its keys are shown this once. */
export async function createDemoAccount(database: Database, now: Date): Promise<DemoAccount | null> {
  return database.transaction(async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock(7311202)');
    if ((await sql.row('SELECT id FROM accounts LIMIT 1')) !== null) return null;
    const accountId = newId('acc');
    const accountName = 'Demo Gallery';
    await sql.run(
      `INSERT INTO accounts (id, name, email, trade_discount_bps, credit_limit_cents, created_at) VALUES ($1, $2, 'orders@demo-gallery.example', 2000, 2000000, $3)`,
      [accountId, accountName, now],
    );
    const [testKey, liveKey] = [await insertKey(sql, accountId, 'test', now), await insertKey(sql, accountId, 'live', now)];
    return { accountId, accountName, testKey, liveKey };
  });
}

async function insertKey(sql: Sql, accountId: string, environment: Environment, now: Date): Promise<string> {
  const key = newApiKey(environment);
  await sql.run(
    `INSERT INTO api_keys (id, account_id, environment, scopes, name, key_hash, prefix, last_four, created_at) VALUES ($1, $2, $3, $4, 'demo', $5, $6, $7, $8)`,
    [newId('key'), accountId, environment, [...SCOPES], hashKey(key), apiKeyPrefix(environment), key.slice(-4), now],
  );
  return key;
}

/** Makes the configured admin token one that works, the first time it is seen: once revoked it stays so over restarts. */
export async function acceptAdminToken(sql: Sql, token: string, now: Date): Promise<void> {
  await sql.run(
    `INSERT INTO studio_tokens (id, name, role, token_hash, created_at) VALUES ($1, 'STUDIO_ADMIN_TOKEN', 'admin', $2, $3)
     ON CONFLICT ON CONSTRAINT studio_tokens_hash DO NOTHING`,
    [newId('tok'), hashKey(token), now],
  );
}
