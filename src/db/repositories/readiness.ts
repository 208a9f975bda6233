import { MIGRATIONS, rows, type Sql } from '../data-source';

/** True when every migration of this build has been applied. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const found = await rows<{ name: string }>(sql, `SELECT name FROM migrations`).catch(() => []);
  const names = new Set(found.map(({ name }) => name));
  return MIGRATIONS.every((migration) => names.has(migration.name));
}
