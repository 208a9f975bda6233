import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { Pool } from 'undici';
import { createDataSource, migrate } from '../src/db/data-source';
import { seed } from '../src/db/seed';
import { ManagedProcess } from '../src/dev/managed-process';
import { connects, freePort, until } from '../src/dev/ports';
import { ensureDatabase, startPostgres } from '../src/dev/postgres';
import { firstEnterable, postgresAccount } from '../src/dev/postgres-account';
import { postgresBinaries } from '../src/dev/postgres-binaries';
import { ProcessKeeper } from '../src/dev/process-keeper';
import { projectRoot } from '../src/dev/project';
import { startTemporalDevServer } from '../src/dev/temporal-dev-server';
import { toolPath } from '../src/dev/tools';
import { newStudioToken } from '../src/security/api-keys';
import { ORDERS_TASK_QUEUE } from '../workflows/messages';
import { CpuMeter } from './cpu';
import { FLOOR_TASK_QUEUE } from './floor/messages';

/** Everything a run measures: the service in two processes, the floors in theirs, one PostgreSQL, one Temporal. */
export interface Stage {
  dataSource: DataSource;
  temporal: Client;
  serverVersion: string;
  cpu: CpuMeter;
  adminToken: string;
  tradeUrl: string;
  studioUrl: string;
  floorUrl: string;
  receiverOrigin: string;
  /** Text of the Temporal server's metrics. */
  metrics(): Promise<string>;
  /** Keep-alive connections to one of the above, shared by the whole run. */
  connections(url: string): Pool;
  close(): Promise<void>;
}

export interface StageOptions {
  /** Every Node process of the service leaves its CPU profile here. */
  profileDir?: string;
}

const CONNECTIONS = 64;

export async function openStage(options: StageOptions): Promise<Stage> {
  const account = postgresAccount();
  const parent = firstEnterable([tmpdir(), '/tmp', '/var/tmp'], account) ?? tmpdir();
  const folder = mkdtempSync(join(parent, 'trade-print-bench-'));
  chmodSync(folder, 0o711);
  const keeper = new ProcessKeeper();
  keeper.removeIfWeDie(folder);
  const stop = async (): Promise<void> => {
    await keeper.stopAll();
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(130)));
  try {
    return await fill({ folder, keeper, options, account, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Site {
  folder: string;
  keeper: ProcessKeeper;
  options: StageOptions;
  account: ReturnType<typeof postgresAccount>;
  stop(): Promise<void>;
}

async function fill(site: Site): Promise<Stage> {
  const [postgres, temporal] = await Promise.all([startDatabase(site), startTemporal(site)]);
  const dataSource = await createDataSource(postgres.url, 10).initialize();
  await migrate(dataSource);
  await seed(dataSource, new Date());
  await dataSource.query('CREATE TABLE bench_quotes (id text PRIMARY KEY, body text NOT NULL)');

  const [api, studio, storage, floorApi, receiver] = [await freePort(), await freePort(), await freePort(), await freePort(), await freePort()];
  const receiverOrigin = `http://127.0.0.1:${receiver}`;
  const adminToken = newStudioToken();
  const env = {
    DATABASE_URL: postgres.url, TEMPORAL_ADDRESS: temporal.address, DATA_DIR: join(site.folder, 'data'), LOG_LEVEL: 'info',
    API_PORT: String(api), STUDIO_PORT: String(studio), STORAGE_PORT: String(storage), STUDIO_ADMIN_TOKEN: adminToken,
    WEBHOOK_ALLOWED_ORIGINS: receiverOrigin, RECEIVER_ORIGIN: receiverOrigin,
  };
  const start = (name: string, script: string, more: Record<string, string> = {}) => startNode(site, name, script, { ...env, ...more });
  const processes = {
    api: await start('api', '../src/server.js'),
    worker: await start('worker', '../src/worker.js'),
    'floor worker': await start('floor-worker', 'floor/worker.js'),
    'floor API': await start('floor-api', 'floor/api.js', { PORT: String(floorApi) }),
    receiver: await start('receiver', 'floor/receiver.js', { PORT: String(receiver) }),
  };
  void site.keeper.crashed.then(async (process_) => {
    console.error(await process_.describeEnd());
    await site.stop();
    process.exit(1);
  });

  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection });
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  await Promise.all([api, studio, floorApi, receiver].map((port) => until(`port ${port}`, async () => connects(`127.0.0.1:${port}`, 1000).then(() => true), { timeoutMs: 60_000 })));
  await Promise.all([ORDERS_TASK_QUEUE, FLOOR_TASK_QUEUE].map((queue) => until(`a worker of ${queue}`, () => isPolled(client, queue), { timeoutMs: 90_000, everyMs: 200 })));

  const pools = new Map<string, Pool>();
  return {
    dataSource, temporal: client, serverVersion: serverVersion ?? 'unknown', adminToken, receiverOrigin,
    tradeUrl: `http://127.0.0.1:${api}`, studioUrl: `http://127.0.0.1:${studio}`, floorUrl: `http://127.0.0.1:${floorApi}`,
    cpu: new CpuMeter({
      API: processes.api.pid, worker: processes.worker.pid, 'Temporal server': temporal.process.pid, PostgreSQL: postgres.process.pid,
      'floor worker': processes['floor worker'].pid, 'floor API': processes['floor API'].pid, receiver: processes.receiver.pid, 'load generator': process.pid,
    }, ['PostgreSQL']),
    metrics: async () => (await fetch(`http://127.0.0.1:${temporal.metricsPort}/metrics`)).text(),
    connections(url) {
      const pool = pools.get(url) ?? new Pool(url, { connections: CONNECTIONS, headersTimeout: 60_000 });
      pools.set(url, pool);
      return pool;
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      await connection.close();
      await dataSource.destroy();
      await site.stop();
    },
  };
}

async function startDatabase({ folder, keeper, account }: Site) {
  const postgres = await startPostgres({
    binaries: postgresBinaries(account, () => folder),
    account,
    clusterDir: join(folder, 'postgres'),
    password: randomBytes(16).toString('hex'),
    port: await freePort(),
    logFile: join(folder, 'postgres.log'),
    settings: { max_connections: '200' }, // as installed otherwise: fsync and synchronous_commit on
    keeper,
  });
  await ensureDatabase(postgres.urlOf('postgres'), 'bench');
  return { process: postgres.process, url: postgres.urlOf('bench') };
}

/** In memory, tuned as for `npm start`; a small script adds the port of its metrics to the command line. */
async function startTemporal({ folder, keeper }: Site) {
  const metricsPort = await freePort();
  const executable = join(folder, 'temporal-with-metrics');
  writeFileSync(executable, `#!/bin/sh\nexec '${toolPath('temporal')}' "$@" --metrics-port ${metricsPort}\n`, { mode: 0o755 });
  const temporal = await startTemporalDevServer({ executable, port: await freePort(), logFile: join(folder, 'temporal.log'), keeper });
  return { ...temporal, metricsPort };
}

function startNode({ folder, keeper, options }: Site, name: string, script: string, env: Record<string, string>): Promise<ManagedProcess> {
  const profile = options.profileDir === undefined || name.startsWith('floor') ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(options.profileDir, name)}`];
  if (options.profileDir !== undefined) mkdirSync(options.profileDir, { recursive: true });
  return ManagedProcess.start({
    name, command: process.execPath, args: ['--enable-source-maps', ...profile, join(__dirname, script)],
    env: { ...process.env, ...env }, cwd: projectRoot, logFile: join(folder, `${name}.log`), stage: 2, graceMs: 20_000, keeper,
  });
}

async function isPolled(client: Client, queue: string): Promise<true | undefined> {
  const { pollers } = await client.workflowService.describeTaskQueue({ namespace: 'default', taskQueue: { name: queue }, taskQueueType: 1 });
  return (pollers ?? []).length > 0 ? true : undefined;
}
