import type { Sql } from '../../src/db/database';
import { newId } from '../../src/security/ids';

type RowCopy = { id: string } & Record<string, unknown>;

/** Copies of the row `id`, each with other values in some columns. Existing rows stay. No workflow is started for copied orders. */
export async function copyRow(sql: Sql, table: 'orders' | 'quotes', id: string, copies: readonly RowCopy[]): Promise<void> {
  await sql.run(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(t, c.copy)).* FROM ${table} t, jsonb_array_elements($2::jsonb) AS c (copy) WHERE t.id = $1
     ON CONFLICT (id) DO NOTHING`,
    [id, JSON.stringify(table === 'orders' ? copies.map((copy) => ({ workflow_checked_at: new Date(), ...copy })) : copies)],
  );
}

/** Creates open quotes as copies of a priced one, without using the rate limit. @returns their ids */
export async function copyQuote(sql: Sql, quoteId: string, count: number, changes: Record<string, unknown> = {}): Promise<string[]> {
  const copies = Array.from({ length: count }, () => ({ consumed_at: null, ...changes, id: newId('quo') }));
  await copyRow(sql, 'quotes', quoteId, copies);
  return copies.map(({ id }) => id);
}
