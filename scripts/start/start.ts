import { join } from 'node:path';
import { ConfigError } from '../../src/config/config';
import { formatBanner, type BannerInput } from './banner';
import { DataFolder } from './data-folder';
import { startEmbeddedPostgres } from './embedded-postgres';
import { assertDatabaseUsable } from './postgres';
import { excludeLoopbackFromProxy } from './loopback';
import { loadOrCreateSecretsKey, prepareDatabase } from './prepare-database';
import { ProcessManager } from './processes';
import { startService, waitUntilReady } from './services';
import { assertPortsFree, readSettings, SERVICES, type DevSettings } from './settings';
import { Deadline } from '../../src/runtime/deadline';
import { SetupError } from './setup-error';
import { startTemporalDevServer } from './temporal-dev-server';
import { PRIVATE_UMASK } from '../../src/platform/private-files';

const PARENT_CHECK_INTERVAL_MS = 500;

/** `npm start`: runs the whole order service in one terminal, with its own database and Temporal server. */
async function main(): Promise<number> {
  const stopRequest = waitForStopRequest();
  excludeLoopbackFromProxy(); // child processes inherit it
  const settings = await readSettings(process.env);
  const data = await DataFolder.claim(settings.config.dataDir);
  const processManager = new ProcessManager(data.path, 'permanent');
  try {
    process.umask(PRIVATE_UMASK); // child processes inherit it
    await assertPortsFree(settings);
    data.rotateLogs();
    return await runUntilStopped(stopRequest, settings, data, processManager);
  } finally {
    await processManager.stopAll();
    data.release();
  }
}

/**
 * Resolves on a signal or when the parent npm process has ended. After Ctrl-C, the signal usually arrives twice: from the terminal and from
 * npm. The second one has no effect.
 */
function waitForStopRequest(): Promise<'stop-requested'> {
  return new Promise((resolve) => {
    const requestStop = () => resolve('stop-requested');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, requestStop);
    const parent = process.ppid;
    if (process.env['npm_lifecycle_event'] !== undefined)
      setInterval(() => {
        if (process.ppid !== parent) requestStop();
      }, PARENT_CHECK_INTERVAL_MS).unref();
  });
}

/** Starts all processes, waits for a stop request or a crash, and returns the exit code. */
async function runUntilStopped(
  stopRequest: Promise<'stop-requested'>,
  settings: DevSettings,
  data: DataFolder,
  processManager: ProcessManager,
): Promise<number> {
  const started = startAll(settings, data, processManager).then((bannerInput) => console.log(formatBanner(bannerInput)));
  const end = await Promise.race([
    stopRequest,
    processManager.crashed,
    started.then(() => Promise.race([stopRequest, processManager.crashed])),
  ]);
  if (end === 'stop-requested') {
    console.log('\nstopping …');
    return 0;
  }
  console.error(`\n${(end.endSignal.reason as Error).message}\nStopping the other processes.`);
  return 1;
}

async function startAll(settings: DevSettings, data: DataFolder, processManager: ProcessManager): Promise<BannerInput> {
  const startedAt = Date.now();
  const { config, embedsPostgres, embedsTemporal, temporalPort, temporalUiPort } = settings;
  console.log(`starting ${embedsPostgres ? 'PostgreSQL' : 'on your PostgreSQL'} and ${embedsTemporal ? 'Temporal' : 'your Temporal'} …`);
  const [databaseUrl, { address }] = await Promise.all([
    embedsPostgres ? startEmbeddedPostgres(data, processManager) : assertDatabaseUsable(config.databaseUrl),
    embedsTemporal
      ? startTemporalDevServer({
          port: temporalPort,
          uiPort: temporalUiPort,
          dbFile: join(data.path, 'temporal.db'),
          namespace: config.temporal.namespace,
          logFile: join(data.logsDir, 'temporal.log'),
          processManager,
        })
      : config.temporal,
  ]);
  const env = {
    ...settings.env,
    SECRETS_KEY: settings.env['SECRETS_KEY'] || loadOrCreateSecretsKey(data.path),
    DATA_DIR: data.path,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: address,
  };
  console.log('preparing the database …');
  const { firstRun } = await prepareDatabase(env);
  console.log('starting the API, the worker, the relay and the inspector …');
  const services = await Promise.all(
    SERVICES.map((service) =>
      startService(service, { ...env, MANAGEMENT_PORT: String(settings.managementPorts[service]) }, data, processManager),
    ),
  );
  const serviceEnd = new Deadline(services.map((part) => part.endSignal));
  await waitUntilReady(`http://${config.localHost}:${config.studioPort}`, serviceEnd.signal).finally(() => serviceEnd.release());
  return { settings, firstRun, logsDir: data.logsDir, startedInMs: Date.now() - startedAt };
}

// Ignores write errors of a closed terminal, so that the processes are still stopped.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    const isActionable = error instanceof SetupError || error instanceof ConfigError;
    console.error(`\n${isActionable ? error.message : error.stack}`);
    process.exit(1);
  },
);
