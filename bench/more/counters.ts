import type { Stage } from '../stage';

export type Counts = Record<string, number>;

/** The server's counter `action`, which Temporal Cloud bills, by type. */
export function actions(metrics: string): Counts {
  const totals: Counts = {};
  for (const line of metrics.split('\n')) {
    if (!/^action(_total)?\{/.test(line) || !line.includes('namespace="default"')) continue;
    const type = line.match(/action_type="([^"]*)"/)?.[1] ?? 'unknown';
    totals[type] = (totals[type] ?? 0) + Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return totals;
}

/** Bytes by table with its indexes, and of the write-ahead log. */
export async function footprint({ database }: Stage): Promise<Counts> {
  const tables = await database.rows<{ name: string; bytes: number }>(
    `SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     UNION ALL SELECT 'write-ahead log', pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8`,
  );
  return Object.fromEntries(tables.map(({ name, bytes }) => [name, bytes]));
}

/** Counts that have grown, the largest first. */
export function grown(after: Counts, before: Counts): Counts {
  const more = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(more.filter(([, count]) => count > 0).toSorted(([, a], [, b]) => b - a));
}
