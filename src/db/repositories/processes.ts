import type { Sql } from '../database';

/** Processes that `/readyz` checks. */
export type ProcessKind = 'relay' | 'inspector';

export async function recordProcess(sql: Sql, id: string, kind: ProcessKind): Promise<void> {
  await sql.run(
    `INSERT INTO processes (id, kind, seen_at) VALUES ($1, $2, clock_timestamp()) ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`,
    [id, kind],
  );
}

export async function deleteProcess(sql: Sql, id: string): Promise<void> {
  await sql.run('DELETE FROM processes WHERE id = $1', [id]);
}

/** Whether a process of this kind was recorded within the last 15 seconds. */
export function isProcessRunning(sql: Sql, kind: ProcessKind): Promise<boolean> {
  const recent = `SELECT 1 FROM processes WHERE kind = $1 AND seen_at > clock_timestamp() - interval '15 seconds' LIMIT 1`;
  return sql.exists(recent, [kind]);
}
