import { Runtime, Worker } from '@temporalio/worker';
import { createActivities } from '../../activities';
import { ORDERS_TASK_QUEUE } from '../../workflows/messages';
import { loadConfig } from '../config';
import { createDependencies, type Dependencies } from '../dependencies';
import { onTermination, runAsProcess } from './run-as-process';
import { commonOptions, connectPatiently, quietTemporalLogger, type WorkerSettings } from '../temporal/workers';
import { workflowBundle } from '../workflow-bundle';

/** The worker of task queue `orders`: order workflows, quote holds, the sweeper and their activities. */
export function createOrdersWorker(deps: Dependencies, settings: WorkerSettings): Promise<Worker> {
  return Worker.create({
    ...commonOptions(deps, settings),
    taskQueue: settings.taskQueue ?? ORDERS_TASK_QUEUE,
    activities: createActivities(deps),
    // Simple pollers: measured faster here than the default (see docs/operations.md).
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 20 },
  });
}

async function main(): Promise<void> {
  const deps = await createDependencies(loadConfig(), 'worker');
  Runtime.install({ shutdownSignals: [], logger: quietTemporalLogger(deps) });
  const termination = onTermination();
  const connection = await connectPatiently(deps, termination);
  if (connection === null) return deps.close();
  const worker = await createOrdersWorker(deps, { connection, workflowBundle: await workflowBundle() });
  const done = worker.run();
  await deps.temporal.ensureSweeper();
  await deps.temporal.ensureRetention();
  await deps.temporal.ensureAttentionMail(await deps.pricingTerms.timeZone(deps.database, deps.clock.now()));
  deps.logger.info({ taskQueue: ORDERS_TASK_QUEUE }, 'working');
  await Promise.race([termination, done]);
  deps.logger.info('stopping');
  if (worker.getState() === 'RUNNING') worker.shutdown();
  await done;
  await connection.close();
  await deps.close();
}

runAsProcess(module, main);
