import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../scripts/start/ports';
import { ensureDatabase, startPostgres, type RunningPostgres } from '../scripts/start/postgres';
import { postgresAccount, temporaryFolder } from '../scripts/start/postgres-account';
import { ProcessKeeper } from '../scripts/start/processes';
import { startTemporalDevServer } from '../scripts/start/temporal-dev-server';
import { toolPath } from '../scripts/start/tools';

export type Site = ReturnType<typeof openSite>;

/** A folder for the files of a stage's processes, and a keeper that ends them. */
export function openSite() {
  const account = postgresAccount();
  const folder = temporaryFolder('trade-print-bench-', account);
  const keeper = new ProcessKeeper(folder, 'temporary');
  const stop = async (): Promise<void> => {
    await keeper.stopAll();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, keeper, account, stop };
}

/** A cluster with PostgreSQL's own durability (fsync and synchronous_commit on), and commit timestamps for the latency of webhooks. */
export async function startDatabase({ folder, keeper, account }: Site): Promise<RunningPostgres> {
  const postgres = await startPostgres({
    account,
    clusterDir: join(folder, 'postgres'),
    password: randomBytes(16).toString('hex'),
    port: await freePort(),
    logFile: join(folder, 'postgres.log'),
    settings: { max_connections: '300', track_commit_timestamp: 'on' },
    keeper,
  });
  await ensureDatabase(postgres.urlOf('postgres'), 'bench');
  return postgres;
}

/** The dev server as `npm start` runs it, with its file and write-ahead log. */
export async function startTemporal({ folder, keeper }: Site) {
  return startTemporalDevServer({
    executable: toolPath('temporal'),
    port: await freePort(),
    dbFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    keeper,
  });
}
