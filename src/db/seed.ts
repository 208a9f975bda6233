import { rowId, STORED_SECTIONS } from '../domain/catalogue';
import { localDate } from '../domain/pricing/ready-date';
import { SEED_CATALOGUE } from './seed/catalogue';
import { FIRST_PRICE_BOOK, holidaysFrom } from './seed/price-book';
import { hashKey, newApiKey } from '../security/api-keys';
import { sha256 } from '../security/fingerprint';
import { newId } from '../security/ids';
import { SCOPES, type Environment } from '../domain/limits';
import type { Database, Sql } from './database';
import { insertAccount, newAccount } from './repositories/accounts';
import { insertKey } from './repositories/keys';
import { initialiseCriticalRush } from './repositories/settings';
import { insertTokenOnce } from './repositories/tokens';

/** Stores the first catalogue and price book if there is none. Keeps later changes by the studio. */
export async function seed(database: Database, now: Date): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock(7311202)');
    await seedCatalogue(sql, now);
    const { timeZone } = FIRST_PRICE_BOOK;
    const document = JSON.stringify({ ...FIRST_PRICE_BOOK, holidays: holidaysFrom(localDate(timeZone, now)) });
    await sql.run(
      `INSERT INTO price_books (version, document, sha256, effective_at, published_by, created_at) VALUES (1, $1, $2, '2020-01-01', 'seed', $3)
       ON CONFLICT DO NOTHING`,
      [document, sha256(document), now],
    );
    await initialiseCriticalRush(sql);
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

/** Creates a demo account in an empty database; null if accounts exist. Its keys are shown only once. */
export async function createDemoAccount(database: Database, now: Date): Promise<DemoAccount | null> {
  return database.transaction(async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock(7311202)');
    if (await sql.exists('SELECT id FROM accounts LIMIT 1')) return null;
    const account = {
      ...newAccount(now),
      name: 'Demo Gallery',
      email: 'orders@demo-gallery.example',
      trade_discount_bps: 2000,
      credit_limit_cents: 2000000,
    };
    await insertAccount(sql, account, null);
    const { id: accountId, name: accountName } = account;
    const [testKey, liveKey] = [await demoKey(sql, accountId, 'test', now), await demoKey(sql, accountId, 'live', now)];
    return { accountId, accountName, testKey, liveKey };
  });
}

async function demoKey(sql: Sql, accountId: string, environment: Environment, now: Date): Promise<string> {
  const key = newApiKey(environment);
  await insertKey(sql, key, {
    id: newId('key'),
    account_id: accountId,
    environment,
    scopes: [...SCOPES],
    name: 'demo',
    expires_at: null,
    created_at: now,
  });
  return key;
}

/** Stores the configured admin token the first time. A token that was revoked later stays revoked after restarts. */
export async function acceptAdminToken(sql: Sql, token: string, now: Date): Promise<void> {
  await insertTokenOnce(sql, {
    id: newId('tok'),
    name: 'STUDIO_ADMIN_TOKEN',
    role: 'admin',
    kind: 'person',
    hash: hashKey(token),
    expires_at: null,
    now,
  });
}
