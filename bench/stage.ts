import { Client, Connection } from '@temporalio/client';
import { Agent } from 'undici';
import { openDatabase, NO_TIMEOUTS, type Database } from '../src/db/database';
import { acceptAdminToken, seed } from '../src/db/seed';
import { newStudioToken } from '../src/security/api-keys';
import { recordIndexReads } from '../test/support/index-reads';
import { TEST_SECRETS_KEY } from '../test/support/secrets';
import { CpuMeter } from './cpu';
import { waitUntilIdle, waitForBackgroundWork } from './idle';
import { startProcesses, type ListenerUrls } from './processes';
import { openWorkspace, startDatabase, startTemporal, type BenchWorkspace } from './workspace';

/** The service, the floors, one PostgreSQL and one Temporal server, each in separate processes. */
export interface Stage extends ListenerUrls {
  database: Database;
  databaseUrl: string;
  temporal: Client;
  /** Versions of Temporal's server and PostgreSQL, for the heading. */
  versions: string;
  /** Connections of the load generator, open for the whole run. */
  connections: Agent;
  /** Returns the admin tokens in rotation, because each token has a rate limit. */
  nextAdminToken(): string;
  /** Waits until the processes are idle. A smoke run waits only for the background work. */
  waitUntilIdle(): Promise<void>;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 64;
const STUDIO_TOKENS = 16;

/** @param onCrash called if a process ends unexpectedly */
export async function openStage(isSmoke: boolean, onCrash: () => void): Promise<Stage> {
  const workspace = openWorkspace();
  void workspace.processManager.crashed.then(({ endSignal }) => {
    console.error((endSignal.reason as Error).message);
    onCrash();
  });
  try {
    return await startStage(workspace, isSmoke);
  } catch (error) {
    await workspace.stop();
    throw error;
  }
}

async function startStage(workspace: BenchWorkspace, isSmoke: boolean): Promise<Stage> {
  const postgres = await startDatabase(workspace);
  const databaseUrl = postgres.urlOf('bench');
  const database = await openDatabase(databaseUrl, 10, NO_TIMEOUTS);
  const [server, tokens] = await Promise.all([startTemporal(workspace), prepareDatabase(database)]);
  const cpu = new CpuMeter(postgres.process.pid);
  cpu.add(server.process.pid);
  const temporal = new Client({ connection: await Connection.connect({ address: server.address }) });
  const urls = await startProcesses(workspace, cpu, {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: server.address,
    STUDIO_ADMIN_TOKEN: tokens[0] ?? '',
    NODE_ENV: 'test',
    SECRETS_KEY: TEST_SECRETS_KEY,
  });
  const connections = new Agent({ connections: MAX_CONNECTIONS, headersTimeout: 60_000 });
  let tokenIndex = 0;
  return {
    ...urls,
    database,
    databaseUrl,
    temporal,
    versions: await readVersions(database, temporal),
    connections,
    nextAdminToken: () => tokens[(tokenIndex += 1) % tokens.length] ?? '',
    waitUntilIdle: () => (isSmoke ? waitForBackgroundWork(database) : waitUntilIdle(database, cpu)),
    close: () => closeStage(workspace, database, connections),
  };
}

/** Leaves the connection to Temporal open: closing it during a retry throws an unhandled error (src/temporal/connect.ts). */
async function closeStage(workspace: BenchWorkspace, database: Database, connections: Agent): Promise<void> {
  await connections.destroy();
  await recordIndexReads(database);
  await database.close();
  await workspace.stop();
}

/** Creates the schema, the first price book and admin tokens. @returns the tokens */
async function prepareDatabase(database: Database): Promise<string[]> {
  await database.migrate();
  await seed(database, new Date());
  const tokens = Array.from({ length: STUDIO_TOKENS }, () => newStudioToken());
  for (const token of tokens) await acceptAdminToken(database, token, new Date());
  return tokens;
}

async function readVersions(database: Database, { workflowService }: Client): Promise<string> {
  const { serverVersion } = await workflowService.getSystemInfo({});
  const row = await database.row<{ server_version: string }>('SHOW server_version');
  return `Temporal server ${serverVersion}, PostgreSQL ${row?.server_version}`;
}
