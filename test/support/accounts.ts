import type { Database } from '../../src/db/database';
import { SCOPES, type Environment, type Scope } from '../../src/domain/limits';
import { hashKey, newApiKey, newStudioToken } from '../../src/security/api-keys';
import { newId } from '../../src/security/ids';

export interface TestAccount {
  accountId: string;
  testKey: string;
  liveKey: string;
}

export interface AccountOverrides {
  creditLimitCents?: number | null;
  tradeDiscountBps?: number;
}

/** An active account with one key of every scope per environment. */
export async function anAccount(database: Database, overrides: AccountOverrides = {}): Promise<TestAccount> {
  const accountId = newId('acc');
  await database.run(
    `INSERT INTO accounts (id, name, email, trade_discount_bps, credit_limit_cents, created_at) VALUES ($1, 'Gallery North', 'gallery@example.com', $2, $3, now())`,
    [accountId, overrides.tradeDiscountBps ?? 2000, overrides.creditLimitCents ?? null],
  );
  return { accountId, testKey: await aKey(database, accountId), liveKey: await aKey(database, accountId, { environment: 'live' }) };
}

export interface KeyOverrides {
  environment?: Environment;
  scopes?: readonly Scope[];
  expiresAt?: Date | null;
  revoked?: boolean;
}

/** A key of this account. Default: `test`, with every scope. */
export async function aKey(database: Database, accountId: string, overrides: KeyOverrides = {}): Promise<string> {
  const environment = overrides.environment ?? 'test';
  const key = newApiKey(environment);
  await database.run(
    `INSERT INTO api_keys (id, account_id, environment, scopes, key_hash, prefix, last_four, expires_at, revoked_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $9 THEN now() END, now())`,
    [
      newId('key'),
      accountId,
      environment,
      overrides.scopes ?? [...SCOPES],
      hashKey(key),
      `lpk_${environment}_`,
      key.slice(-4),
      overrides.expiresAt ?? null,
      overrides.revoked ?? false,
    ],
  );
  return key;
}

/** An admin's token of the studio API. */
export async function aStudioToken(database: Database): Promise<string> {
  const token = newStudioToken();
  await database.run(`INSERT INTO studio_tokens (id, name, role, token_hash, created_at) VALUES ($1, 'Test admin', 'admin', $2, now())`, [
    newId('tok'),
    hashKey(token),
  ]);
  return token;
}
