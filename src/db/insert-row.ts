import type { Sql } from './database';

/**
 * Inserts a row; its keys are column names. Pass JSON arrays as text, because pg sends arrays as PostgreSQL arrays.
 * @param rest the end of the statement: ON CONFLICT, RETURNING
 */
export function insertRow<T>(sql: Sql, table: string, row: object, rest = ''): Promise<T | null> {
  const names = Object.keys(row);
  const marks = names.map((_, at) => `$${at + 1}`);
  return sql.row(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks.join(', ')}) ${rest}`, Object.values(row));
}
