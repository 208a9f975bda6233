import type { Database } from '../../../src/db/database';

/** Ids of so many open quotes, copies of a really priced one, which cost no rate budget. */
export async function copiesOf(database: Database, quoteId: string, count: number): Promise<string[]> {
  const copies: { id: string }[] = await database.rows(
    `
    INSERT INTO quotes SELECT (jsonb_populate_record(q, jsonb_build_object('id', 'quo_' || replace(gen_random_uuid()::text, '-', ''), 'consumed_at', NULL, 'hold_started_at', NULL))).*
      FROM quotes q, generate_series(1, $2::integer) WHERE q.id = $1 RETURNING id`,
    [quoteId, count],
  );
  return copies.map(({ id }) => id);
}
