import { join } from 'node:path';
import { ConfigError } from '../../src/config';
import type { BannerFacts } from './banner';
import { banner, localUrl } from './banner';
import { DataFolder } from './data-folder';
import { startEmbeddedPostgres } from './embedded-postgres';
import type { ManagedProcess } from './managed-process';
import { connects } from './ports';
import { checkDatabase } from './postgres';
import { ProcessKeeper } from './process-keeper';
import { API, INSPECTOR, RELAY, startService, whenReady, WORKER } from './services';
import { keptSecretsKey } from './secrets-key';
import type { DevSettings } from './settings';
import { checkPorts, readSettings } from './settings';
import { SetupError } from './setup-error';
import { startTemporalDevServer } from './temporal-dev-server';
import { toolPath } from './tools';
import { PRIVATE_UMASK } from '../../src/private-files';
import { prepareDatabase } from './prepare-database';

const PARENT_CHECK_MS = 500;
const CONNECT_TIMEOUT_MS = 10_000;

/** How a run ends: somebody asked for it, or a part ended by itself. */
type Ending = { kind: 'asked' } | { kind: 'crashed'; part: ManagedProcess };

/** `npm start`: the whole order service in one terminal, with a database and a Temporal server of its own. */
async function main(): Promise<number> {
  const ending = whenToldToStop();
  const settings = await readSettings(process.env);
  const data = await DataFolder.claim(settings.config.dataDir);
  process.umask(PRIVATE_UMASK); // for our parts as well
  try {
    await checkPorts(settings);
    return await runUntil(ending, settings, data);
  } finally {
    data.release();
  }
}

/**
 * Somebody asks us to end by a signal, or by killing the npm we run under. npm passes a Ctrl-C on that the terminal has
 * already sent: hearing it twice is the rule, and no reason to hurry.
 */
function whenToldToStop(): Promise<Ending> {
  return new Promise((resolve) => {
    const asked = () => resolve({ kind: 'asked' });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, asked);
    if (process.env['npm_lifecycle_event'] !== undefined) whenParentIsGone(asked);
  });
}

function whenParentIsGone(tell: () => void): void {
  const parent = process.ppid;
  setInterval(() => (process.ppid === parent ? undefined : tell()), PARENT_CHECK_MS).unref();
}

/** Starts all parts, waits for the end, stops all parts, and returns the exit code. */
async function runUntil(asked: Promise<Ending>, settings: DevSettings, data: DataFolder): Promise<number> {
  const keeper = new ProcessKeeper((running) => data.noteParts(running));
  const crashed = keeper.crashed.then((part): Ending => ({ kind: 'crashed', part }));
  try {
    const started = startAll(settings, data, keeper).then((facts) => console.log(banner(facts)));
    const end = await Promise.race([asked, crashed, started.then(() => Promise.race([asked, crashed]))]);
    return await report(end);
  } finally {
    await keeper.stopAll();
  }
}

async function startAll(settings: DevSettings, data: DataFolder, keeper: ProcessKeeper): Promise<BannerFacts> {
  const startedAt = Date.now();
  console.log(
    `starting ${settings.embedsPostgres ? 'PostgreSQL' : 'on your PostgreSQL'} and ${settings.embedsTemporal ? 'Temporal' : 'your Temporal'} …`,
  );
  const [database, temporalAddress] = await Promise.all([provideDatabase(settings, data, keeper), provideTemporal(settings, data, keeper)]);
  const secretsKey = settings.env['SECRETS_KEY'] || keptSecretsKey(data.path);
  const env = {
    ...settings.env,
    SECRETS_KEY: secretsKey,
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporalAddress,
  };
  console.log('preparing the database …');
  const { firstRun } = await prepareDatabase(env);
  console.log('starting the API, the worker, the relay and the inspector …');
  const parts = await Promise.all([API, WORKER, RELAY, INSPECTOR].map((service) => startService(service, env, data, keeper)));
  await whenReady(localUrl(settings, settings.config.studioPort), AbortSignal.any(parts.map((part) => part.endSignal)));
  return { settings, firstRun, logsDir: data.logsDir, clusterDir: database.clusterDir, startedInMs: Date.now() - startedAt };
}

async function provideDatabase(
  settings: DevSettings,
  data: DataFolder,
  keeper: ProcessKeeper,
): Promise<{ url: string; clusterDir?: string }> {
  if (settings.embedsPostgres) return startEmbeddedPostgres(data, keeper);
  await checkDatabase(settings.config.databaseUrl);
  return { url: settings.config.databaseUrl };
}

/** Returns the address of the server. */
async function provideTemporal(settings: DevSettings, data: DataFolder, keeper: ProcessKeeper): Promise<string> {
  const { temporal } = settings.config;
  if (!settings.embedsTemporal) return reachable(temporal.address);
  const server = await startTemporalDevServer({
    executable: toolPath('temporal'),
    port: settings.temporalPort,
    uiPort: settings.temporalUiPort,
    dbFile: join(data.path, 'temporal.db'),
    namespace: temporal.namespace,
    logFile: join(data.logsDir, 'temporal.log'),
    keeper,
  });
  return server.address;
}

async function reachable(address: string): Promise<string> {
  try {
    await connects(address, CONNECT_TIMEOUT_MS);
    return address;
  } catch (error) {
    throw new SetupError(`the Temporal of TEMPORAL_ADDRESS (${address}) cannot be reached: ${(error as Error).message}`);
  }
}

/** Says how the run ended; returns the exit code. */
async function report(end: Ending): Promise<number> {
  if (end.kind === 'asked') {
    console.log('\nstopping …');
    return 0;
  }
  console.error(`\n${await end.part.describeEnd()}\nStopping the rest.`);
  return 1;
}

/** What a person can act on is said plainly; anything else is our fault and keeps its stack. */
function explain(error: unknown): string {
  if (error instanceof SetupError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// A closed terminal must not keep us from stopping our parts.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`\n${explain(error)}`);
    process.exit(1);
  },
);
