import { loadConfig } from '../../src/config';
import { openDatabase } from '../../src/db/database';
import { requireSecretKeys } from '../../src/db/repositories/secrets';
import { acceptAdminToken, createDemoAccount, seed } from '../../src/db/seed';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { readPrivate, writePrivate } from '../../src/private-files';
import { newStudioToken } from '../../src/security/api-keys';
import { newSecret } from '../../src/security/ids';
import { SecretBox } from '../../src/security/secret-box';
import { newSecretsKey } from '../../src/security/secrets-keys';

/** What the first start made; secrets are shown this once. Later starts make nothing. */
export type FirstRunCredentials = Awaited<ReturnType<typeof prepareDatabase>>['firstRun'];

/**
 * For `npm start`: migrates, seeds, and on the first run makes a demo account and an admin token; the token is kept in
 * DATA_DIR and works from then on.
 * @throws ConfigError also where the database's secrets need a key that SECRETS_KEY lacks
 */
export async function prepareDatabase(env: Record<string, string | undefined>) {
  const config = loadConfig(env);
  const database = await openDatabase(config.databaseUrl, 4);
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

/** `SECRETS_KEY` for those who set none. The file takes what the setting takes, so several keys too. */
export const loadOrCreateSecretsKey = (dataDir: string): string =>
  loadOrCreateSecret(dataDir, 'secrets-key', () => newSecretsKey(`local-${newSecret().slice(0, 8)}`));

/** Made once and kept in the data folder, readable by us only. It is on the disk before anything uses it. */
function loadOrCreateSecret(dataDir: string, name: string, generate: () => string): string {
  const file = path.join(dataDir, name);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) writePrivate(file, `${generate()}\n`);
  return readPrivate(file).trim();
}
