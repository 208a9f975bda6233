import { createServer, type AddressInfo } from 'node:net';
import { Runtime, type Worker } from '@temporalio/worker';
import { databaseChecks } from '../runtime/readiness';
import type { Database } from '../db/database';
import type { Temporal } from '../temporal';
import { connectWithRetries, createTemporalLogger, type WorkerDeps, type WorkerSettings } from '../temporal/workers';
import { startManagement, type ManagementDeps } from './management';

type RunDeps = WorkerDeps &
  ManagementDeps & { config: WorkerDeps['config'] & ManagementDeps['config']; database: Database; temporal: Pick<Temporal, 'probe'> };

interface Hooks {
  /** Called when the workers have started polling. */
  whenRunning?: () => Promise<void>;
  /** Called after `whenRunning`, when termination is requested. */
  beforeStop?: () => Promise<void>;
}

/** Runs the management listener and, on one connection, the workers until termination. Resolves when the workers' tasks have ended. */
export async function runWorkers(
  deps: RunDeps,
  termination: Promise<void>,
  create: (settings: WorkerSettings) => Promise<Worker>[],
  hooks: Hooks = {},
): Promise<void> {
  const coreMetricsAddress = await installRuntime(deps);
  const stopController = new AbortController();
  const workers: Worker[] = [];
  const isRunning = (): boolean => workers.length > 0 && workers.every((worker) => worker.getState() === 'RUNNING');
  const management = await startManagement(deps, {
    checks: {
      ...databaseChecks(deps.database),
      temporal: { passes: () => deps.temporal.probe().then(() => true) },
      workers: { passes: () => Promise.resolve(isRunning()), failure: 'the workers have not started; see the log' },
    },
    stopSignal: stopController.signal,
    coreMetrics: () => readCoreMetrics(coreMetricsAddress, deps),
  });
  try {
    const connection = await connectWithRetries(deps, termination);
    if (connection === null) return;
    workers.push(...(await Promise.all(create({ connection }))));
    const runs = workers.map((worker) => worker.run());
    const done = Promise.all(runs);
    await Promise.race([termination, done, hooks.whenRunning?.()]);
    deps.logger.info({ taskQueues: workers.map(({ options }) => options.taskQueue) }, 'working');
    await Promise.race([termination, done]);
    stopController.abort();
    deps.logger.info('stopping');
    await hooks.beforeStop?.();
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    for (const run of await Promise.allSettled(runs))
      if (run.status === 'rejected') deps.logger.warn({ err: run.reason as unknown }, 'tasks did not end in time; they will be repeated');
    await connection.close();
  } finally {
    await management.close();
  }
}

const INSTALL_ATTEMPTS = 3;

/** Installs Temporal Core's runtime and returns the address of its metrics. Another program may take the free port first. */
async function installRuntime(deps: RunDeps): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const bindAddress = `127.0.0.1:${await findFreePort()}`;
    try {
      Runtime.install({
        shutdownSignals: [],
        logger: createTemporalLogger(deps),
        telemetryOptions: {
          metrics: { prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true } },
        },
      });
      return bindAddress;
    } catch (error) {
      if (attempt === INSTALL_ATTEMPTS) throw error;
    }
  }
}

/** A port of 127.0.0.1 for Temporal Core, which does not report a port that it chose itself. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** The metrics of Temporal Core; empty after a failure, because the other metrics must stay available. */
async function readCoreMetrics(address: string, { logger }: ManagementDeps): Promise<string> {
  try {
    const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(2_000) });
    return await response.text();
  } catch (error) {
    logger.warn({ err: error }, 'reading the metrics of Temporal Core failed');
    return '';
  }
}
