import { loadConfig } from '../../src/config';
import { openDatabase } from '../../src/db/database';
import { requireSecretKeys } from '../../src/db/repositories/secrets';
import { acceptAdminToken, createDemoAccount, seed } from '../../src/db/seed';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { readPrivate, writePrivate } from '../../src/private-files';
import { newStudioToken } from '../../src/security/api-keys';
import { SecretBox } from '../../src/security/secret-box';

/** What the first start made; secrets are shown this once. */
export interface FirstRun {
  accountName: string;
  testKey: string;
  liveKey: string;
  adminToken: string;
}

/**
 * For `npm start`: migrates, seeds, and on the first run makes a demo account and an admin token; the token is kept in
 * DATA_DIR and works from then on.
 * @throws ConfigError also where the database's secrets need a key that SECRETS_KEY lacks
 */
export async function prepareDatabase(env: Record<string, string | undefined>): Promise<{ firstRun?: FirstRun }> {
  const config = loadConfig(env);
  const database = await openDatabase(config.databaseUrl, 4);
  try {
    await database.migrate({ onWait: (message) => process.stderr.write(`migrate: ${message}\n`) });
    await requireSecretKeys(database, new SecretBox(config.secretsKeys));
    const now = new Date();
    await seed(database, now);
    const adminToken = config.studioAdminToken ?? keptToken(config.dataDir);
    await acceptAdminToken(database, adminToken, now);
    const demo = await createDemoAccount(database, now);
    return demo === null ? {} : { firstRun: { accountName: demo.accountName, testKey: demo.testKey, liveKey: demo.liveKey, adminToken } };
  } finally {
    await database.close();
  }
}

function keptToken(dataDir: string): string {
  const file = path.join(dataDir, 'admin-token');
  if (existsSync(file)) return readPrivate(file).trim();
  const token = newStudioToken();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writePrivate(file, `${token}\n`);
  return token;
}
