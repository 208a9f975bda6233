import { MIGRATIONS, row, rows, type Sql } from '../data-source';

/** True when every migration of this build has been applied. Rejects when the database does not answer. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const table = await row<{ name: string | null }>(sql, `SELECT to_regclass('migrations')::text AS name`);
  if ((table?.name ?? null) === null) return false;
  const found = await rows<{ name: string }>(sql, 'SELECT name FROM migrations');
  const names = new Set(found.map(({ name }) => name));
  return MIGRATIONS.every((migration) => names.has(migration.name));
}
