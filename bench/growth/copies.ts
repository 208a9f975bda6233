import { Client } from 'pg';
import { urlOf } from './twin';
import type { Stage } from '../stage';

/** Rows that are copies of one, by the numbers 1 to `count`, which the expressions call `n`; the copied row is `t`. */
export interface Copies {
  table: string;
  /** Condition on the row to copy; absent where `but` says it all. */
  of?: string;
  /** Column → SQL of what differs. */
  but: Record<string, string>;
  /** Which of the numbers have such a row. */
  only?: string;
}

/**
 * Fills some tables, one after the other, in a session of its own. Indexes and constraints are all in place, as in production;
 * only references are not checked row by row, and commits do not wait for the disk.
 */
export async function fill(stage: Stage, some: readonly Copies[], count: number): Promise<void> {
  const client = new Client({ connectionString: urlOf(stage) });
  await client.connect();
  try {
    await client.query('SET synchronous_commit = off');
    await client.query('SET session_replication_role = replica');
    for (const copies of some) await client.query(await insertion(client, copies, count));
  } finally {
    await client.end();
  }
}

async function insertion(client: Client, { table, of, but, only }: Copies, count: number): Promise<string> {
  const found = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 AND is_identity = 'NO' AND is_generated = 'NEVER'`,
    [table],
  );
  const columns = found.rows.map(({ name }) => name).filter((name) => of !== undefined || name in but);
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map((name) => but[name] ?? `t.${name}`).join(', ')}
    FROM generate_series(1, ${count}) AS n ${of === undefined ? '' : `, (SELECT * FROM ${table} WHERE ${of}) AS t`} ${only === undefined ? '' : `WHERE ${only}`}`;
}
