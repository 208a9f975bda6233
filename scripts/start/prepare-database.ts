import { loadConfig } from '../../src/config/config';
import { openDatabase } from '../../src/db/database';
import { requireSecretKeys } from '../../src/db/repositories/secrets';
import { acceptAdminToken, createDemoAccount, seed } from '../../src/db/seed';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { readPrivate, writePrivate } from '../../src/platform/private-files';
import { newStudioToken } from '../../src/security/api-keys';
import { newSecret } from '../../src/security/ids';
import { SecretBox } from '../../src/security/secret-box';
import { newSecretsKey } from '../../src/security/secrets-keys';

/** Credentials that the first start creates and shows once; undefined on later starts. */
export type FirstRunCredentials = Awaited<ReturnType<typeof prepareDatabase>>['firstRun'];

/**
 * Migrates and seeds the database. The first run also creates a demo account and an admin token. DATA_DIR stores the token for later
 * starts.
 * @throws ConfigError also if the database's secrets need a key that SECRETS_KEY does not contain
 */
export async function prepareDatabase(env: Record<string, string | undefined>) {
  const config = loadConfig(env);
  const database = await openDatabase(config.databaseDirectUrl, 4);
  try {
    await database.migrate({ onWait: (message) => process.stderr.write(`migrate: ${message}\n`) });
    await requireSecretKeys(database, new SecretBox(config.secretsKeys));
    const now = new Date();
    await seed(database, now);
    const adminToken = config.studioAdminToken ?? loadOrCreateSecret(config.dataDir, 'admin-token', newStudioToken);
    await acceptAdminToken(database, adminToken, now);
    const demo = await createDemoAccount(database, now);
    return { firstRun: demo === null ? undefined : { ...demo, adminToken } };
  } finally {
    await database.close();
  }
}

/** The default of `SECRETS_KEY`, stored in a file. The file has the format of the setting, so it may contain several keys. */
export const loadOrCreateSecretsKey = (dataDir: string): string =>
  loadOrCreateSecret(dataDir, 'secrets-key', () => newSecretsKey(`local-${newSecret().slice(0, 8)}`));

/** Reads a secret from the data folder, or creates it in a file that only its owner can read. */
function loadOrCreateSecret(dataDir: string, name: string, generate: () => string): string {
  const file = path.join(dataDir, name);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) writePrivate(file, `${generate()}\n`);
  return readPrivate(file).trim();
}
