import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../scripts/start/ports';
import { ensureDatabase, startPostgres, type RunningPostgres } from '../scripts/start/postgres';
import { createTemporaryFolder } from '../scripts/start/postgres-account';
import { ProcessManager } from '../scripts/start/processes';
import { startTemporalDevServer } from '../scripts/start/temporal-dev-server';

export type BenchWorkspace = ReturnType<typeof openWorkspace>;

/** A temporary folder and the manager of a stage's processes. */
export function openWorkspace() {
  const folder = createTemporaryFolder('trade-print-bench-');
  const processManager = new ProcessManager(folder, 'temporary');
  const stop = async (): Promise<void> => {
    await processManager.stopAll();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, processManager, stop };
}

/** Starts PostgreSQL with full durability (fsync and synchronous_commit on), and with commit timestamps to measure webhook latency. */
export async function startDatabase({ folder, processManager }: BenchWorkspace): Promise<RunningPostgres> {
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

/** Starts the dev server with a database file and write-ahead log, as `npm start` does. */
export async function startTemporal({ folder, processManager }: BenchWorkspace) {
  return startTemporalDevServer({
    port: await findFreePort(),
    dbFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    processManager,
  });
}
