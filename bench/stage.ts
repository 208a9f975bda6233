import { Client, Connection } from '@temporalio/client';
import { Pool } from 'undici';
import { openDatabase, PATIENT, type Database } from '../src/db/database';
import { acceptAdminToken, seed } from '../src/db/seed';
import { freePort } from '../dev/ports';
import { newStudioToken } from '../src/security/api-keys';
import { TEST_SECRETS_KEY } from '../test/support/secrets';
import { CpuMeter } from './cpu';
import { Processes } from './processes';
import { openSite, startDatabase, type Site } from './site';
import { startTemporal, type ServerKind } from './temporal';

/** Each has 600 requests a minute at an endpoint: together they are no bound. */
const STUDIO_TOKENS = 100;

/** Everything a part measures: the service in three processes, the floors in theirs, one PostgreSQL, one Temporal. */
export interface Stage {
  server: ServerKind;
  database: Database;
  databaseUrl: string;
  temporal: Client;
  serverVersion: string;
  postgresVersion: string;
  cpu: CpuMeter;
  /** An admin token, another one each time: each has a budget of its own. */
  readonly adminToken: string;
  readonly adminTokens: readonly string[];
  tradeUrl: string;
  studioUrl: string;
  floorUrl: string;
  receiverOrigin: string;
  /** Stops Temporal's process where it is, and lets it go on. */
  freezeTemporal(): void;
  thawTemporal(): void;
  /** Text of the Temporal server's metrics. */
  metrics(): Promise<string>;
  /** Keep-alive connections to one of the above, shared by the whole run. */
  connections(url: string): Pool;
  /** Starts more of the service's processes. */
  processes: Processes;
  close(): Promise<void>;
}

export interface StageOptions {
  server: ServerKind;
  /** Every Node process of the service leaves its CPU profile here. */
  profileDir?: string | undefined;
  /** More settings for the service's processes. */
  env?: Record<string, string>;
}

const CONNECTIONS = 64;

export async function openStage(options: StageOptions): Promise<Stage> {
  const site = openSite(options.profileDir);
  try {
    return await fill(site, options);
  } catch (error) {
    await site.stop();
    throw error;
  }
}

async function fill(site: Site, options: StageOptions): Promise<Stage> {
  const postgres = await startDatabase(site);
  const url = postgres.urlOf('bench');
  const database = await openDatabase(url, 10, PATIENT);
  const [temporal, postgresVersion] = await Promise.all([startTemporal(site, options.server, postgres), prepare(database)]);

  const receiver = await freePort();
  const receiverOrigin = `http://127.0.0.1:${receiver}`;
  const tokens = Array.from({ length: STUDIO_TOKENS }, () => newStudioToken());
  for (const token of tokens) await acceptAdminToken(database, token, new Date());
  let turn = 0;
  const cpu = new CpuMeter({ 'Temporal server': temporal.process.pid, 'load generator': process.pid }, postgres.process.pid);
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection });
  const processes = new Processes(site, client, cpu, {
    DATABASE_URL: url,
    TEMPORAL_ADDRESS: temporal.address,
    LOG_LEVEL: 'info',
    STUDIO_ADMIN_TOKEN: tokens[0] ?? '',
    NODE_ENV: 'test',
    SECRETS_KEY: TEST_SECRETS_KEY,
    WEBHOOK_ALLOWED_ORIGINS: receiverOrigin,
    RECEIVER_ORIGIN: receiverOrigin,
    ...options.env,
  });
  void site.keeper.crashed.then(async (process_) => {
    console.error(await process_.describeEnd());
    process.kill(process.pid, 'SIGTERM'); // ends the run as a Ctrl-C does, with what has been measured
  });
  const [api, floorUrl] = await Promise.all([
    processes.startApi('api'),
    processes.startFloor(receiver),
    processes.startWorker('worker'),
    processes.startRelay('relay'),
  ]);
  const { serverVersion } = await connection.workflowService.getSystemInfo({});

  const pools = new Map<string, Pool>();
  return {
    server: options.server,
    database,
    databaseUrl: url,
    temporal: client,
    serverVersion: serverVersion ?? 'unknown',
    postgresVersion,
    cpu,
    receiverOrigin,
    adminTokens: tokens,
    get adminToken() {
      return tokens[(turn += 1) % STUDIO_TOKENS] ?? '';
    },
    tradeUrl: api.tradeUrl,
    studioUrl: api.studioUrl,
    floorUrl,
    processes,
    freezeTemporal: () => void process.kill(temporal.process.pid, 'SIGSTOP'),
    thawTemporal: () => void process.kill(temporal.process.pid, 'SIGCONT'),
    metrics: async () => (await fetch(`http://127.0.0.1:${temporal.metricsPort}/metrics`)).text(),
    connections(to) {
      const pool = pools.get(to) ?? new Pool(to, { connections: CONNECTIONS, headersTimeout: 60_000 });
      pools.set(to, pool);
      return pool;
    },
    async close() {
      process.kill(temporal.process.pid, 'SIGCONT'); // what is frozen cannot stop
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      await connection.close();
      await database.close();
      await site.stop();
    },
  };
}

/** The service's schema and first prices, and the floor's table. @returns PostgreSQL's version */
async function prepare(database: Database): Promise<string> {
  await database.migrate();
  await seed(database, new Date());
  await database.run('CREATE TABLE bench_quotes (id text PRIMARY KEY, body text NOT NULL)');
  const [found] = await database.rows<{ server_version: string }>('SHOW server_version');
  return found?.server_version ?? 'unknown';
}
