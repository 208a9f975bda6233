import type { Sql } from './database';

/**
 * Inserts these fields of a row. Pass JSON arrays as text, because pg sends arrays as PostgreSQL arrays.
 * @param columns names from the code, never from data, because they become SQL
 * @param suffix the end of the statement, such as ON CONFLICT or RETURNING
 */
export function insertRow<T, Row extends object>(
  sql: Sql,
  table: string,
  columns: readonly (keyof Row & string)[],
  row: Row,
  suffix = '',
): Promise<T | null> {
  const placeholders = columns.map((_, index) => `$${index + 1}`);
  const values = columns.map((name) => row[name]);
  return sql.row(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders.join(', ')}) ${suffix}`, values);
}
