import type { Sql } from './database';

/**
 * Stores a row whose fields are the table's columns. JSON that is an array comes as text.
 * @param rest what follows: ON CONFLICT, RETURNING
 */
export function insertRow<T>(sql: Sql, table: string, row: object, rest = ''): Promise<T | null> {
  const names = Object.keys(row);
  const marks = names.map((_, at) => `$${at + 1}`);
  return sql.row(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks.join(', ')}) ${rest}`, Object.values(row));
}
