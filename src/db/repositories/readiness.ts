import { MIGRATIONS } from '../data-source';
import type { Sql } from '../database';

/** True if every migration of this build is applied. Rejects if the database does not respond. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  if ((await sql.value(`SELECT to_regclass('migrations')::text`)) === null) return false;
  const names = new Set(await sql.column('SELECT name FROM migrations'));
  return MIGRATIONS.every((migration) => names.has(migration.name));
}
