import { newSecret } from '../../security/ids';
import { row, type Sql } from '../data-source';

/** A secret of the service's own, made once and shared by every process on this database. */
export async function serviceSecret(sql: Sql, name: 'cursors' | 'storage'): Promise<string> {
  await sql.query('INSERT INTO service_secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, newSecret()]);
  const found = await row<{ value: string }>(sql, 'SELECT value FROM service_secrets WHERE name = $1', [name]);
  if (found === null) throw new Error(`the secret ${name} is missing`);
  return found.value;
}
