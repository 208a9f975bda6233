import { join } from 'node:path';
import { ConfigError } from '../../src/config';
import { banner, localUrl, type BannerFacts } from './banner';
import { DataFolder } from './data-folder';
import { startEmbeddedPostgres } from './embedded-postgres';
import { connects } from './ports';
import { checkDatabase } from './postgres';
import { ProcessKeeper } from './process-keeper';
import { startService, whenReady } from './services';
import { keptSecretsKey } from './secrets-key';
import { checkPorts, readSettings, type DevSettings } from './settings';
import { SetupError } from './setup-error';
import { startTemporalDevServer } from './temporal-dev-server';
import { toolPath } from './tools';
import { PRIVATE_UMASK } from '../../src/private-files';
import { prepareDatabase } from './prepare-database';

const PARENT_CHECK_MS = 500;
const CONNECT_TIMEOUT_MS = 10_000;

/** `npm start`: the whole order service in one terminal, with a database and a Temporal server of its own. */
async function main(): Promise<number> {
  const ending = whenToldToStop();
  const settings = await readSettings(process.env);
  const keeper = new ProcessKeeper();
  let data: DataFolder | undefined;
  try {
    data = await DataFolder.claim(settings.config.dataDir, keeper);
    process.umask(PRIVATE_UMASK); // for our parts as well
    await checkPorts(settings);
    return await runUntil(ending, settings, data, keeper);
  } finally {
    await keeper.stopAll();
    data?.release();
  }
}

/**
 * Somebody asks us to end by a signal, or by killing the npm we run under. npm passes a Ctrl-C on that the terminal has
 * already sent: hearing it twice is the rule, and no reason to hurry.
 */
function whenToldToStop(): Promise<'asked'> {
  return new Promise((resolve) => {
    const asked = () => resolve('asked');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, asked);
    const parent = process.ppid;
    if (process.env['npm_lifecycle_event'] !== undefined)
      setInterval(() => {
        if (process.ppid !== parent) asked();
      }, PARENT_CHECK_MS).unref();
  });
}

/** Starts all parts, waits for the end, and returns the exit code. */
async function runUntil(asked: Promise<'asked'>, settings: DevSettings, data: DataFolder, keeper: ProcessKeeper): Promise<number> {
  const started = startAll(settings, data, keeper).then((facts) => console.log(banner(facts)));
  const end = await Promise.race([asked, keeper.crashed, started.then(() => Promise.race([asked, keeper.crashed]))]);
  if (end === 'asked') {
    console.log('\nstopping …');
    return 0;
  }
  console.error(`\n${await end.describeEnd()}\nStopping the rest.`);
  return 1;
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
  const parts = await Promise.all(['api', 'worker', 'relay', 'inspector'].map((service) => startService(service, env, data, keeper)));
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
  if (!settings.embedsTemporal) {
    await connects(temporal.address, CONNECT_TIMEOUT_MS).catch((error: Error) => {
      throw new SetupError(`the Temporal of TEMPORAL_ADDRESS (${temporal.address}) cannot be reached: ${error.message}`);
    });
    return temporal.address;
  }
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

// A closed terminal must not keep us from stopping our parts.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    const isActionable = error instanceof SetupError || error instanceof ConfigError;
    console.error(`\n${isActionable ? error.message : error.stack}`);
    process.exit(1);
  },
);
