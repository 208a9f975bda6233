import { MIGRATIONS } from '../data-source';
import type { Sql } from '../database';

/** True when every migration of this build has been applied. Rejects when the database does not answer. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  if ((await sql.value(`SELECT to_regclass('migrations')::text`)) === null) return false;
  const names = new Set(await sql.column('SELECT name FROM migrations'));
  return MIGRATIONS.every((migration) => names.has(migration.name));
}
