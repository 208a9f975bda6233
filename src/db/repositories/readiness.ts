import { MIGRATIONS } from '../data-source';
import type { Sql } from '../database';

/** True when every migration of this build has been applied. Rejects when the database does not answer. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const table = await sql.row<{ name: string | null }>(`SELECT to_regclass('migrations')::text AS name`);
  if ((table?.name ?? null) === null) return false;
  const found = await sql.rows<{ name: string }>('SELECT name FROM migrations');
  const names = new Set(found.map(({ name }) => name));
  return MIGRATIONS.every((migration) => names.has(migration.name));
}
