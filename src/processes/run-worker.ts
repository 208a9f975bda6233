import { Runtime, type Worker } from '@temporalio/worker';

import { connectWithRetries, createTemporalLogger, type WorkerDeps, type WorkerSettings } from '../temporal/workers';

/**
 * Runs a worker until termination; resolves once nothing is under way.
 * @param hooks.whenRunning called once the worker polls
 * @param hooks.beforeStop called after it, once termination is asked for
 */
export async function runWorker(
  deps: WorkerDeps,
  termination: Promise<void>,
  create: (settings: WorkerSettings) => Promise<Worker>,
  hooks: { whenRunning?: () => Promise<void>; beforeStop?: () => Promise<void> } = {},
): Promise<void> {
  Runtime.install({ shutdownSignals: [], logger: createTemporalLogger(deps) });
  const connection = await connectWithRetries(deps, termination);
  if (connection === null) return;
  const worker = await create({ connection });
  const done = worker.run();
  await hooks.whenRunning?.();
  deps.logger.info({ taskQueue: worker.options.taskQueue }, 'working');
  await Promise.race([termination, done]);
  deps.logger.info('stopping');
  await hooks.beforeStop?.();
  if (worker.getState() === 'RUNNING') worker.shutdown();
  await done;
  await connection.close();
}
