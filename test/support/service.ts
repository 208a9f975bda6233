import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import type { SessionTimeouts } from '../../src/db/database';
import { BOUNDS } from '../../src/documents/pdf-renderer';
import type { Clock } from '../../src/platform/clock';
import { loadConfig } from '../../src/config/config';
import { createDependencies, type Dependencies } from '../../src/processes/dependencies';
import { createLogger } from '../../src/platform/logger';
import { newStudioToken } from '../../src/security/api-keys';
import { newSecret } from '../../src/security/ids';
import { findFreePort } from '../../scripts/start/ports';
import { Inspector } from '../../src/inspection/inspector';
import { InspectionStarter } from '../../src/inspection/inspection-starter';
import { createArtworkWorker, inspectionDir } from '../../src/processes/inspector';
import { startApi, type ApiProcess } from '../../src/processes/api';
import type { WebhookSender } from '../../src/webhooks/send';
import { createPingsWorker, createWebhooksWorker } from '../../src/processes/relay';
import { Relay } from '../../src/relay/relay';
import { createOrdersWorker } from '../../src/processes/worker';
import type { TemporalTimeouts } from '../../src/temporal/options';
import { SHUTDOWN_GRACE_MS } from '../../src/temporal/workers';
import { anAccount, aStudioToken, type TestAccount } from './accounts';
import { HttpClient } from './client';
import { recordContractFaults } from './contract';
import { createDatabase } from './database';
import { decoderPath, temporalAddress } from './infrastructure';
import { TEST_SECRETS_KEY } from './secrets';
import { recordIfError } from './service-errors';
import { installRuntime } from './temporal-runtime';

/** The whole service in this process: its own database, its own task queue, the run's Temporal. */
export interface TestService {
  deps: Dependencies;
  api: ApiProcess;
  taskQueue: string;
  /** A trade account with keys for both environments. */
  account: TestAccount;
  adminToken: string;
  /** Lines of structured log written so far. */
  logLines: string[];
  env: Record<string, string>;
  /** A client of the trade API with this key; undefined sends no Authorization. */
  trade(key?: string): HttpClient;
  /** A client of the studio API with this token. Default: the admin's. */
  studio(token?: string): HttpClient;
  startWorker(): Promise<RunningWorker>;
  worker: RunningWorker | null;
  stop(): Promise<void>;
}

export interface RunningWorker {
  /** @param graceMs time limit of webhook attempts in progress */
  stop(graceMs?: number): Promise<void>;
}

/** On a busy machine, a test's statements may take longer than a client would wait. */
export const LONG_TIMEOUTS: SessionTimeouts = {
  lock_timeout: 30_000,
  statement_timeout: 90_000,
  idle_in_transaction_session_timeout: 90_000,
};

/** On a busy machine, a workflow may take longer than a client would wait. */
export const LONG_TEMPORAL_TIMEOUTS: TemporalTimeouts = { responseMs: 60_000, startMs: 30_000, probeMs: 30_000 };

export interface ServiceOptions {
  /** False: no workers and no relay until `startWorker`. */
  worker?: boolean;
  /** True: artwork is inspected too, in separate programs. */
  inspector?: boolean;
  env?: Record<string, string>;
  clock?: Clock;
  /** Replaces the sender that reaches only the origins of WEBHOOK_ALLOWED_ORIGINS. */
  webhookSender?: WebhookSender;
  /** Interval of the credential checks of an event stream, ms. */
  streamRecheckMs?: number;
  /** Default: `LONG_TIMEOUTS`. Tests of stuck locks use production's, `TIMEOUTS`. */
  timeouts?: SessionTimeouts;
  /** Default: `LONG_TEMPORAL_TIMEOUTS`. Tests in which no workflow responds use production's, `TEMPORAL_TIMEOUTS`. Every call reads it anew. */
  temporalTimeouts?: TemporalTimeouts;
  /** Replaces the run's Temporal dev server. */
  temporalAddress?: string;
  /** Returns the address that the API connects to instead of the database's, such as a proxy's. `deps` and workers use the database's. */
  apiDatabaseUrl?: (databaseUrl: string) => Promise<string>;
}

const sharedServices = new Map<boolean, Promise<TestService>>();

/**
 * Returns the service that the test files of one process share, with or without workers. Each caller gets its own account and admin token.
 * `stop` only checks the recorded responses. Files that read or change data outside of accounts start their own service.
 */
export async function sharedService({ worker = true }: { worker?: boolean } = {}): Promise<TestService> {
  const started = sharedServices.get(worker) ?? startService({ worker });
  sharedServices.set(worker, started);
  const service = await started;
  const adminToken = await aStudioToken(service.deps.database);
  const stopRecording = recordContractFaults();
  service.logLines.length = 0;
  return {
    ...service,
    adminToken,
    account: await anAccount(service.deps.database),
    studio: (token = adminToken) => service.studio(token),
    stop: async () => assertNoFaults(stopRecording()),
  };
}

function assertNoFaults(faults: string[]): void {
  if (faults.length > 0) throw new Error(`answers that break the contract:\n${faults.join('\n')}`);
}

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const database = await createDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trade-print-service-'));
  const taskQueue = `orders-${newSecret().slice(0, 12)}`;
  const adminToken = newStudioToken();
  const storagePort = await findFreePort();
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    TEMPORAL_ADDRESS: options.temporalAddress ?? (await temporalAddress()),
    API_PORT: '0',
    STUDIO_PORT: '0',
    STORAGE_PORT: String(storagePort),
    LOG_LEVEL: 'debug',
    STUDIO_ADMIN_TOKEN: adminToken,
    NODE_ENV: 'test',
    CONFIRMATION_DELAY: '0s',
    WORKER_WORKFLOW_TASK_POLLERS: '4',
    WORKER_ACTIVITY_POLLERS: '4',
    SECRETS_KEY: TEST_SECRETS_KEY,
    ...options.env,
  };
  const logLines: string[] = [];
  const logger = createLogger('debug', 'test', {
    write(line) {
      logLines.push(line);
      recordIfError(line);
    },
  });
  const openDependencies = (overrides: Record<string, string> = {}) =>
    createDependencies(loadConfig({ ...env, ...overrides }), 'test', {
      logger,
      taskQueue,
      session: options.timeouts ?? LONG_TIMEOUTS,
      pdfBounds: { ...BOUNDS, timeMs: 120_000 },
      temporalTimeouts: options.temporalTimeouts ?? LONG_TEMPORAL_TIMEOUTS,
      webhooksTaskQueue: `${taskQueue}-webhooks`,
      artworkTaskQueue: `${taskQueue}-artwork`,
      ...(options.clock ? { clock: options.clock } : {}),
      ...(options.streamRecheckMs === undefined ? {} : { streamRecheckMs: options.streamRecheckMs }),
      ...(options.webhookSender ? { webhookSender: options.webhookSender } : {}),
    });
  const deps = await openDependencies();
  const apiDeps =
    options.apiDatabaseUrl === undefined ? deps : await openDependencies({ DATABASE_URL: await options.apiDatabaseUrl(database.url) });
  const api = await startApi(apiDeps);
  const stopRecording = recordContractFaults();
  const workers = new Set<RunningWorker>();
  const service: TestService = {
    deps,
    api,
    taskQueue,
    adminToken,
    logLines,
    env,
    account: await anAccount(deps.database),
    trade: (key) => new HttpClient(`http://127.0.0.1:${api.tradePort}/v1`, key),
    studio: (token = adminToken) => new HttpClient(`http://127.0.0.1:${api.studioPort}/studio/v1`, token),
    async startWorker() {
      const worker = await runWorker(deps, taskQueue, env.TEMPORAL_ADDRESS ?? '');
      workers.add(worker);
      service.worker = worker;
      return worker;
    },
    worker: null,
    async stop() {
      await api.close();
      for (const worker of workers) await worker.stop();
      for (const opened of new Set([apiDeps, deps])) await opened.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      assertNoFaults(stopRecording());
    },
  };
  if (options.worker !== false) await service.startWorker();
  if (options.inspector === true) workers.add(await runInspector(deps, `${taskQueue}-artwork`, env.TEMPORAL_ADDRESS ?? ''));
  return service;
}

/** Runs the inspector in this process. Only the program that opens pictures is a separate process. */
async function runInspector(deps: Dependencies, taskQueue: string, address: string): Promise<RunningWorker> {
  installRuntime();
  const connection = await NativeConnection.connect({ address });
  const inspector = await Inspector.open(inspectionDir(deps), deps.logger, { program: decoderPath() });
  const settings = { connection, shutdownGraceMs: 500, taskQueue };
  const worker = await createArtworkWorker(deps, inspector, settings);
  const running = worker.run();
  const starts = new InspectionStarter(deps);
  starts.start();
  return {
    async stop() {
      await starts.stop();
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running.catch(() => undefined);
      await connection.close();
      await inspector.close();
    },
  };
}

async function runWorker(deps: Dependencies, taskQueue: string, address: string): Promise<RunningWorker> {
  installRuntime();
  const connection = await NativeConnection.connect({ address });
  const settings = { connection, shutdownGraceMs: 500 };
  const workers = await Promise.all([
    createOrdersWorker(deps, { ...settings, taskQueue }),
    createWebhooksWorker(deps, { ...settings, taskQueue: `${taskQueue}-webhooks` }),
    createPingsWorker(deps, { ...settings, taskQueue: `${taskQueue}-webhooks` }),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));
  const relay = new Relay(deps);
  relay.start();
  let stopping: Promise<void> | null = null;
  return {
    stop(graceMs = SHUTDOWN_GRACE_MS) {
      stopping ??= (async () => {
        await relay.stop(graceMs);
        for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
        await running.catch(() => undefined);
        await connection.close();
      })();
      return stopping;
    },
  };
}
