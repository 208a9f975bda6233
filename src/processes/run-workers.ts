import { Runtime, type Worker } from '@temporalio/worker';

import { connectWithRetries, createTemporalLogger, type WorkerDeps, type WorkerSettings } from '../temporal/workers';

/**
 * Runs workers on one connection until termination. Resolves when all their tasks have ended.
 * @param hooks.whenRunning called when the workers have started polling
 * @param hooks.beforeStop called after it, when termination is requested
 */
export async function runWorkers(
  deps: WorkerDeps,
  termination: Promise<void>,
  create: (settings: WorkerSettings) => Promise<Worker>[],
  hooks: { whenRunning?: () => Promise<void>; beforeStop?: () => Promise<void> } = {},
): Promise<void> {
  Runtime.install({ shutdownSignals: [], logger: createTemporalLogger(deps) });
  const connection = await connectWithRetries(deps, termination);
  if (connection === null) return;
  const workers = await Promise.all(create({ connection }));
  const done = Promise.all(workers.map((worker) => worker.run()));
  await hooks.whenRunning?.();
  deps.logger.info({ taskQueues: workers.map(({ options }) => options.taskQueue) }, 'working');
  await Promise.race([termination, done]);
  deps.logger.info('stopping');
  await hooks.beforeStop?.();
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  await done;
  await connection.close();
}
