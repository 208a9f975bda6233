import { Client } from 'pg';
import type { Stage } from './stage';

/** Copies of one row, numbered from 1 to `count`. In SQL expressions, `n` is the number and `t` is the row. */
export interface RowCopies {
  table: string;
  /** The table of the original row. Default: `table`. */
  from?: string;
  where: string;
  /** Column → SQL expression for columns in which the copies differ. */
  changes: Record<string, string>;
}

/** SQL of an id derived from the number. */
export const derivedIdSql = (prefix: string, series: string): string => `'${prefix}_' || md5('${series}' || n)`;

/** Inserts the copies in a session without triggers, foreign key checks and synchronous commits. */
export async function insertCopies(stage: Stage, count: number, copies: RowCopies, wrapInsert?: InsertWrapper): Promise<void> {
  const client = new Client({ connectionString: stage.databaseUrl });
  await client.connect();
  try {
    await client.query('SET synchronous_commit = off');
    await client.query('SET session_replication_role = replica');
    const insert = await insertStatement(client, copies, count);
    await (wrapInsert === undefined ? client.query(insert) : wrapInsert(client, copies.table, () => client.query(insert)));
  } finally {
    await client.end();
  }
}

type InsertWrapper = (client: Client, table: string, insert: () => Promise<unknown>) => Promise<void>;

/** Drops the indexes that no constraint needs, and creates them again after the insert. */
export async function withoutIndexes(client: Client, table: string, insert: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
      WHERE i.indrelid = $1::regclass AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [table],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  try {
    await insert();
  } finally {
    await client.query(`SET maintenance_work_mem = '512MB'`);
    for (const { definition } of rows) await client.query(definition);
  }
}

async function insertStatement(client: Client, { table, from = table, where, changes }: RowCopies, count: number): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = $1 AND is_identity = 'NO' AND is_generated = 'NEVER'`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => changes[name] ?? `t.${name}`).join(', ')}
    FROM generate_series(1, ${count}) AS n, (SELECT * FROM ${from} WHERE ${where}) AS t`;
}
