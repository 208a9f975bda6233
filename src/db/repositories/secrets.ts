import { ConfigError } from '../../config';
import { newSecret } from '../../security/ids';
import type { SecretBox } from '../../security/secret-box';
import { row, rows, type Sql } from '../data-source';

/** A column that keeps secrets, each as the box stores it; `owner` binds it to its row. */
export interface SecretColumn {
  table: string;
  id: string;
  column: string;
  owner(id: string): string;
}

export const serviceSecretOwner = (name: string): string => `service-secret/${name}`;
/** Of both secrets of an endpoint: the present one becomes the one before it. */
export const endpointSecretOwner = (id: string): string => `webhook-endpoint/${id}`;

/** Every secret that the database keeps and somebody must read again; keys and tokens are kept as hashes. */
export const SECRET_COLUMNS: readonly SecretColumn[] = [
  { table: 'service_secrets', id: 'name', column: 'value', owner: serviceSecretOwner },
  { table: 'webhook_endpoints', id: 'id', column: 'secret', owner: endpointSecretOwner },
  { table: 'webhook_endpoints', id: 'id', column: 'previous_secret', owner: endpointSecretOwner },
];

/** SQL: the id of the key that the secret in `column` is encrypted under; null where it is text from before that. */
export function keyIdOf(column: string): string {
  const header = `split_part(${column}, '.', 1)`;
  const padded = `rpad(translate(${header}, '-_', '+/'), (length(${header}) + 3) / 4 * 4, '=')`;
  return `CASE WHEN ${column} ~ '^eyJ[A-Za-z0-9_-]*[.][.]' THEN convert_from(decode(${padded}, 'base64'), 'UTF8')::jsonb ->> 'kid' END`;
}

/** The ids of all keys that stored secrets are encrypted under, in order; deleted endpoints' included. */
export async function secretKeyIds(sql: Sql): Promise<string[]> {
  const each = SECRET_COLUMNS.map(({ table, column }) => `SELECT ${keyIdOf(column)} AS key_id FROM ${table}`).join(' UNION ');
  const found = await rows<{ key_id: string }>(sql, `SELECT key_id FROM (${each}) s WHERE key_id IS NOT NULL ORDER BY key_id`);
  return found.map(({ key_id }) => key_id);
}

/**
 * A process that could not read some secret does not start.
 * @throws ConfigError that names each key which stored secrets need and `SECRETS_KEY` lacks
 */
export async function requireSecretKeys(sql: Sql, box: SecretBox): Promise<void> {
  const missing = (await secretKeyIds(sql)).filter((id) => !box.knows(id));
  if (missing.length === 0) return;
  throw new ConfigError(missing.map((id) => `SECRETS_KEY lacks the key ${id}, which secrets in this database are encrypted under; add ${id}:<key> at its end`));
}

/** A secret of the service's own, made once and shared by every process on this database. @throws SecretUnreadable */
export async function serviceSecret(sql: Sql, box: SecretBox, name: 'cursors' | 'storage' | 'senders'): Promise<string> {
  const owner = serviceSecretOwner(name);
  await sql.query('INSERT INTO service_secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, await box.seal(owner, newSecret())]);
  const found = await row<{ value: string }>(sql, 'SELECT value FROM service_secrets WHERE name = $1', [name]);
  if (found === null) throw new Error(`the secret ${name} is missing`);
  return box.open(owner, found.value);
}
