import type { StageProgress } from '../../domain/stages';
import type { Sql } from '../database';
import { jobsOfOrderSql } from './order-artwork';

/** For each line of the order whether it has a frame (`hasFrame`). Requires the order's lock. */
export function findFramedLines(sql: Sql, orderId: string): Promise<boolean[]> {
  return sql.column(
    `
    SELECT j.job->'selections' ? 'mouldingId' FROM orders o, jsonb_array_elements(${jobsOfOrderSql('o')}) WITH ORDINALITY j (job, place)
     WHERE o.id = $1 ORDER BY j.place`,
    [orderId],
  );
}

export async function writeProgress(sql: Sql, orderId: string, { stage, lines }: StageProgress): Promise<void> {
  await sql.run('UPDATE orders SET stage = $2, stage_lines = $3 WHERE id = $1', [orderId, stage, JSON.stringify(lines)]);
}
