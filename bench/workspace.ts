import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../scripts/start/ports';
import { ensureDatabase, startPostgres, type RunningPostgres } from '../scripts/start/postgres';
import { createTemporaryFolder } from '../scripts/start/postgres-account';
import { ProcessManager } from '../scripts/start/processes';
import { startTemporalDevServer } from '../scripts/start/temporal-dev-server';

export type BenchWorkspace = ReturnType<typeof openWorkspace>;

/** A folder for the files of a stage's processes, and a keeper that ends them. */
export function openWorkspace() {
  const folder = createTemporaryFolder('trade-print-bench-');
  const processManager = new ProcessManager(folder, 'temporary');
  const stop = async (): Promise<void> => {
    await processManager.stopAll();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, keeper: processManager, stop };
}

/** A cluster with PostgreSQL's own durability (fsync and synchronous_commit on), and commit timestamps for the latency of webhooks. */
export async function startDatabase({ folder, keeper: processManager }: BenchWorkspace): Promise<RunningPostgres> {
  const postgres = await startPostgres({
    clusterDir: join(folder, 'postgres'),
    password: randomBytes(16).toString('hex'),
    port: await findFreePort(),
    logFile: join(folder, 'postgres.log'),
    settings: { max_connections: '300', track_commit_timestamp: 'on' },
    processManager,
  });
  await ensureDatabase(postgres.urlOf('postgres'), 'bench');
  return postgres;
}

/** The dev server as `npm start` runs it, with its file and write-ahead log. */
export async function startTemporal({ folder, keeper: processManager }: BenchWorkspace) {
  return startTemporalDevServer({
    port: await findFreePort(),
    dbFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    processManager,
  });
}
