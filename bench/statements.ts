import type { Stage } from './stage';

const SHOWN = 16;

/** The cluster has pg_stat_statements with --profile only. */
export async function resetStatements({ database }: Stage): Promise<void> {
  await database.run('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await database.run('SELECT pg_stat_statements_reset()');
}

/** The statements with the most execution time, the most expensive first. */
export async function statements({ database }: Stage): Promise<string> {
  const found = await database.rows<{ line: string }>(`
    SELECT concat_ws('  ', calls, round(total_exec_time), round(mean_exec_time::numeric, 3), rows / calls, (shared_blks_hit + shared_blks_read) / calls,
             round(wal_bytes / calls), left(regexp_replace(query, '\\s+', ' ', 'g'), 170)) AS line
      FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY total_exec_time DESC LIMIT ${SHOWN}`);
  return ['statements: calls, total ms, ms, rows, blocks and bytes of write-ahead log each', ...found.map(({ line }) => line)].join('\n');
}
