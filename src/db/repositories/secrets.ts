import { ConfigError } from '../../config';
import { newSecret } from '../../security/ids';
import { keyIdOf, UnreadableSecretError, UNREADABLE_HEADER_ID, type SecretBox } from '../../security/secret-box';
import type { Sql } from '../database';

/** A column that keeps secrets, each as the box stores it; `owner` binds it to its row. */
export interface SecretColumn {
  table: string;
  id: string;
  column: string;
  owner(id: string): string;
}

export const serviceSecretOwner = (name: string): string => `service-secret/${name}`;
/** The owner of both secrets of an endpoint, the same because a rotation turns the present one into the previous one. */
export const endpointSecretOwner = (id: string): string => `webhook-endpoint/${id}`;

/** Every secret that the database keeps and somebody must read again; keys and tokens are kept as hashes. */
export const SECRET_COLUMNS: readonly SecretColumn[] = [
  { table: 'service_secrets', id: 'name', column: 'value', owner: serviceSecretOwner },
  { table: 'webhook_endpoints', id: 'id', column: 'secret', owner: endpointSecretOwner },
  { table: 'webhook_endpoints', id: 'id', column: 'previous_secret', owner: endpointSecretOwner },
];

/**
 * The ids of all keys that stored secrets are encrypted under, in order; deleted endpoints' included. One whose header cannot be read
 * names none; the error comes where somebody tries to open it.
 */
export async function findSecretKeyIds(sql: Sql): Promise<string[]> {
  const selects = SECRET_COLUMNS.map(
    ({ table, column }) => `SELECT split_part(${column}, '.', 1) || '....' AS header FROM ${table} WHERE ${column} ~ '^eyJ|[.]'`,
  );
  const ids = new Set((await sql.column<string>(selects.join(' UNION ALL '))).map(keyIdOf));
  return [...ids].filter((id) => id !== null && id !== UNREADABLE_HEADER_ID).sort() as string[];
}

/**
 * A process that lacks a key for some secret does not start; a secret that is damaged holds up nothing but itself.
 * @throws ConfigError that names each key which stored secrets need and `SECRETS_KEY` lacks
 */
export async function requireSecretKeys(sql: Sql, box: SecretBox): Promise<void> {
  const missing = (await findSecretKeyIds(sql)).filter((id) => !box.hasKey(id));
  if (missing.length === 0) return;
  throw new ConfigError(
    missing.map((id) => `SECRETS_KEY lacks the key ${id}, which secrets in this database are encrypted under; add ${id}:<key> at its end`),
  );
}

/** A secret of the service's own, made once and shared by every process on this database. @throws ConfigError where it cannot be read */
export async function loadServiceSecret(sql: Sql, box: SecretBox, name: 'cursors' | 'storage' | 'senders'): Promise<string> {
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
  senders: 'milestones under way just then are stored without the name of their token',
} as const;
