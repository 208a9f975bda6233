import { join } from 'node:path';
import { ConfigError } from '../../src/config';
import { banner, type BannerFacts } from './banner';
import { DataFolder } from './data-folder';
import { startEmbeddedPostgres } from './embedded-postgres';
import { checkDatabase } from './postgres';
import { keptSecretsKey, prepareDatabase } from './prepare-database';
import { ProcessKeeper } from './processes';
import { startService, whenReady } from './services';
import { checkPorts, readSettings, type DevSettings } from './settings';
import { SetupError } from './setup-error';
import { startTemporalDevServer } from './temporal-dev-server';
import { PRIVATE_UMASK } from '../../src/private-files';

const PARENT_CHECK_MS = 500;

/** `npm start`: the whole order service in one terminal, with a database and a Temporal server of its own. */
async function main(): Promise<number> {
  const ending = whenToldToStop();
  const settings = await readSettings(process.env);
  const data = await DataFolder.claim(settings.config.dataDir);
  const keeper = new ProcessKeeper(data.path, 'permanent');
  try {
    process.umask(PRIVATE_UMASK); // for our parts as well
    await checkPorts(settings);
    return await runUntil(ending, settings, data, keeper);
  } finally {
    await keeper.stopAll();
    data.release();
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
  console.error(`\n${(end.endSignal.reason as Error).message}\nStopping the rest.`);
  return 1;
}

async function startAll(settings: DevSettings, data: DataFolder, keeper: ProcessKeeper): Promise<BannerFacts> {
  const startedAt = Date.now();
  const { config, embedsPostgres, embedsTemporal, temporalPort, temporalUiPort } = settings;
  console.log(`starting ${embedsPostgres ? 'PostgreSQL' : 'on your PostgreSQL'} and ${embedsTemporal ? 'Temporal' : 'your Temporal'} …`);
  const [databaseUrl, { address }] = await Promise.all([
    embedsPostgres ? startEmbeddedPostgres(data, keeper) : checkDatabase(config.databaseUrl),
    embedsTemporal
      ? startTemporalDevServer({
          port: temporalPort,
          uiPort: temporalUiPort,
          dbFile: join(data.path, 'temporal.db'),
          namespace: config.temporal.namespace,
          logFile: join(data.logsDir, 'temporal.log'),
          keeper,
        })
      : config.temporal,
  ]);
  const env = {
    ...settings.env,
    SECRETS_KEY: settings.env['SECRETS_KEY'] || keptSecretsKey(data.path),
    DATA_DIR: data.path,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: address,
  };
  console.log('preparing the database …');
  const { firstRun } = await prepareDatabase(env);
  console.log('starting the API, the worker, the relay and the inspector …');
  const parts = await Promise.all(['api', 'worker', 'relay', 'inspector'].map((service) => startService(service, env, data, keeper)));
  await whenReady(`http://${config.localHost}:${config.studioPort}`, AbortSignal.any(parts.map((part) => part.endSignal)));
  return { settings, firstRun, logsDir: data.logsDir, startedInMs: Date.now() - startedAt };
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
