import { Client, Connection } from '@temporalio/client';
import { Agent } from 'undici';
import { openDatabase, PATIENT, type Database } from '../src/db/database';
import { acceptAdminToken, seed } from '../src/db/seed';
import { newStudioToken } from '../src/security/api-keys';
import { TEST_SECRETS_KEY } from '../test/support/secrets';
import { CpuMeter } from './cpu';
import { waitForRest, waitForBackgroundWork } from './rest';
import { startProcesses, type Urls } from './processes';
import { openSite, startDatabase, startTemporal, type Site } from './site';

/** The service, the floors, one PostgreSQL and one Temporal, each in processes of its own. */
export interface Stage extends Urls {
  database: Database;
  databaseUrl: string;
  temporal: Client;
  /** Versions of Temporal's server and PostgreSQL, for the heading. */
  versions: string;
  /** Connections of the load generator, kept for the whole run. */
  connections: Agent;
  /** An admin token, another one each time: tokens have a rate budget each. */
  adminToken(): string;
  /** Waits until all work behind the answers has ended. A smoke run waits for the workflows only. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

const CONNECTIONS = 64;
const STUDIO_TOKENS = 16;

/** @param onCrash called when a process ends on its own */
export async function openStage(isSmoke: boolean, onCrash: () => void): Promise<Stage> {
  const site = openSite();
  void site.keeper.crashed.then(({ endSignal }) => {
    console.error((endSignal.reason as Error).message);
    onCrash();
  });
  try {
    return await startAll(site, isSmoke);
  } catch (error) {
    await site.stop();
    throw error;
  }
}

async function startAll(site: Site, isSmoke: boolean): Promise<Stage> {
  const postgres = await startDatabase(site);
  const databaseUrl = postgres.urlOf('bench');
  const database = await openDatabase(databaseUrl, 10, PATIENT);
  const [server, tokens] = await Promise.all([startTemporal(site), prepareDatabase(database)]);
  const cpu = new CpuMeter(postgres.process.pid);
  cpu.add(server.process.pid);
  const temporal = new Client({ connection: await Connection.connect({ address: server.address }) });
  const urls = await startProcesses(site, cpu, {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: server.address,
    STUDIO_ADMIN_TOKEN: tokens[0] ?? '',
    NODE_ENV: 'test',
    SECRETS_KEY: TEST_SECRETS_KEY,
  });
  const connections = new Agent({ connections: CONNECTIONS, headersTimeout: 60_000 });
  let turn = 0;
  return {
    ...urls,
    database,
    databaseUrl,
    temporal,
    versions: await versionsOf(database, temporal),
    connections,
    adminToken: () => tokens[(turn += 1) % tokens.length] ?? '',
    rest: () => (isSmoke ? waitForBackgroundWork(database) : waitForRest(database, cpu)),
    close: () => closeAll(site, database, connections),
  };
}

/** The connection to Temporal stays: its client throws outside of any call when it closes during a retry (src/temporal/connect.ts). The process ends soon. */
async function closeAll(site: Site, database: Database, connections: Agent): Promise<void> {
  await connections.destroy();
  await database.close();
  await site.stop();
}

/** The service's schema, first prices and admin tokens. @returns the tokens */
async function prepareDatabase(database: Database): Promise<string[]> {
  await database.migrate();
  await seed(database, new Date());
  const tokens = Array.from({ length: STUDIO_TOKENS }, () => newStudioToken());
  for (const token of tokens) await acceptAdminToken(database, token, new Date());
  return tokens;
}

async function versionsOf(database: Database, { workflowService }: Client): Promise<string> {
  const { serverVersion } = await workflowService.getSystemInfo({});
  const found = await database.row<{ server_version: string }>('SHOW server_version');
  return `Temporal server ${serverVersion}, PostgreSQL ${found?.server_version}`;
}
