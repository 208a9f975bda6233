import { appendFileSync } from 'node:fs';
import { NO_TIMEOUTS, openDatabase, type Sql } from '../../src/db/database';

/** With INDEX_READS=<file>, tests and benchmarks count the reads of each index. scripts/run/index-reads.mjs adds up the file's lines. */
const file = process.env.INDEX_READS;

/** Appends a line for each index of a database, `{"table", "index", "reads"}`. Call it before the database is dropped. */
export async function recordIndexReads(sql: Sql): Promise<void> {
  if (file === undefined) return;
  const rows = await sql.rows('SELECT relname AS "table", indexrelname AS index, idx_scan AS reads FROM pg_stat_user_indexes');
  appendFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

export async function recordIndexReadsAt(url: string): Promise<void> {
  if (file !== undefined) await withDatabase(url, recordIndexReads);
}

/** Records every test database that is left on the server. */
export async function recordIndexReadsOfServer(adminUrl: string): Promise<void> {
  if (file === undefined) return;
  const names = await withDatabase(adminUrl, (sql) => sql.column<string>(`SELECT datname FROM pg_database WHERE datname ~ '^test_'`));
  for (const name of names) await recordIndexReadsAt(Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href);
}

async function withDatabase<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const database = await openDatabase(url, 1, NO_TIMEOUTS);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
