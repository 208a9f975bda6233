import type { Stage } from './stage';

const SHOWN = 16;

/** Only with --profile: the cluster was started with pg_stat_statements then. */
export async function forgetStatements({ database }: Stage): Promise<void> {
  await database.run('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await database.run('SELECT pg_stat_statements_reset()');
}

/** The statements that took the service's database longest, the most expensive first. */
export async function statements({ database }: Stage): Promise<string> {
  const found = await database.rows<{
    calls: number;
    total: number;
    mean: number;
    rows: number;
    blocks: number;
    wal: number;
    text: string;
  }>(`
    SELECT calls, total_exec_time AS total, mean_exec_time AS mean, rows, shared_blks_hit + shared_blks_read AS blocks, wal_bytes::float8 AS wal, regexp_replace(query, '\\s+', ' ', 'g') AS text
      FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY total_exec_time DESC LIMIT ${SHOWN}`);
  return [
    'statements: calls, total ms, ms each, rows each, blocks each, bytes of log each',
    ...found.map(
      ({ calls, total, mean, rows, blocks, wal, text }) =>
        `${calls}  ${total.toFixed(0)}  ${mean.toFixed(3)}  ${(rows / calls).toFixed(1)}  ${(blocks / calls).toFixed(0)}  ${(wal / calls).toFixed(0)}  ${text.trim().slice(0, 170)}`,
    ),
  ].join('\n');
}
