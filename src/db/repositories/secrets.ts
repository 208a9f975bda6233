import { ConfigError } from '../../config/config';
import { newSecret } from '../../security/ids';
import { keyIdOf, UnreadableSecretError, UNREADABLE_HEADER_ID, type SecretBox } from '../../security/secret-box';
import type { Sql } from '../database';
import { endpointSecretOwner } from './webhook-endpoints';

/** A column with encrypted secrets. `owner` binds each to its row. */
export interface SecretColumn {
  table: string;
  id: string;
  column: string;
  owner(id: string): string;
}

export const serviceSecretOwner = (name: string): string => `service-secret/${name}`;

/** Every stored secret that the service must decrypt. Keys and tokens are stored as hashes. */
export const SECRET_COLUMNS: readonly SecretColumn[] = [
  { table: 'service_secrets', id: 'name', column: 'value', owner: serviceSecretOwner },
  { table: 'webhook_endpoints', id: 'id', column: 'secret', owner: endpointSecretOwner },
  { table: 'webhook_endpoints', id: 'id', column: 'previous_secret', owner: endpointSecretOwner },
];

/**
 * Returns the sorted ids of all keys that encrypt stored secrets, including secrets of deleted endpoints. Skips secrets with an unreadable
 * header; opening them fails.
 */
export async function findSecretKeyIds(sql: Sql): Promise<string[]> {
  const selects = SECRET_COLUMNS.map(
    ({ table, column }) => `SELECT split_part(${column}, '.', 1) || '....' AS header FROM ${table} WHERE ${column} ~ '^eyJ|[.]'`,
  );
  const ids = new Set((await sql.column<string>(selects.join(' UNION ALL '))).map(keyIdOf));
  return [...ids].filter((id) => id !== null && id !== UNREADABLE_HEADER_ID).sort() as string[];
}

/**
 * Checks that `SECRETS_KEY` has a key for every secret. Without one the process does not start. A damaged secret affects only itself.
 * @throws ConfigError that names each missing key
 */
export async function requireSecretKeys(sql: Sql, box: SecretBox): Promise<void> {
  const missing = (await findSecretKeyIds(sql)).filter((id) => !box.hasKey(id));
  if (missing.length === 0) return;
  throw new ConfigError(
    missing.map((id) => `SECRETS_KEY lacks the key ${id}, which encrypts secrets in this database; add ${id}:<key> at its end`),
  );
}

/**
 * Returns a secret of the service. It is created once and shared by all processes of this database.
 * @throws ConfigError if it cannot be decrypted
 */
export async function loadServiceSecret(sql: Sql, box: SecretBox, name: 'cursors' | 'storage'): Promise<string> {
  const owner = serviceSecretOwner(name);
  await sql.run('INSERT INTO service_secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    name,
    await box.seal(owner, newSecret()),
  ]);
  const stored = await sql.value<string>('SELECT value FROM service_secrets WHERE name = $1', [name]);
  return box.open(owner, stored).catch((error: unknown) => {
    if (!(error instanceof UnreadableSecretError)) throw error;
    throw new ConfigError([
      `${error.message}. If SECRETS_KEY holds what it held: DELETE FROM service_secrets WHERE name = '${name}', and the next start makes a new one; ${CONSEQUENCES_OF_LOSS[name]}`,
    ]);
  });
}

const CONSEQUENCES_OF_LOSS = {
  cursors: 'lists that are being paged through start over',
  storage: 'upload and download addresses already given out stop working',
} as const;
