import { onTermination } from './signals';
import { Worker } from '@temporalio/worker';
import { createActivities } from '../../activities';
import type { ActivityDeps } from '../../activities/deps';
import { ORDERS_TASK_QUEUE } from '../../workflows/messages';
import { loadConfig } from '../config/config';
import { createDependencies } from './dependencies';
import { runAsProcess } from './run-as-process';
import { runWorkers } from './run-workers';
import { isUnanswered } from '../temporal/breaker';
import { commonWorkerOptions, retryUntilStopped, type WorkerDeps, type WorkerSettings } from '../temporal/workers';
import { workflowBundle } from '../temporal/workflow-bundle';

/** The worker of task queue `orders`: order workflows, timers of quotes, the sweep and their activities. */
export async function createOrdersWorker(deps: ActivityDeps & WorkerDeps, settings: WorkerSettings): Promise<Worker> {
  return Worker.create({
    ...commonWorkerOptions(deps, settings),
    workflowBundle: await workflowBundle('orders'),
    taskQueue: settings.taskQueue ?? ORDERS_TASK_QUEUE,
    activities: createActivities(deps),
  });
}

async function main(): Promise<void> {
  const deps = await createDependencies(loadConfig(), 'worker');
  const termination = onTermination();
  await runWorkers(deps, termination, (settings) => [createOrdersWorker(deps, settings)], {
    whenRunning: async () => {
      const timeZone = await deps.calendar.timeZone(deps.database, deps.clock.now());
      await retryUntilStopped(deps, termination, 'creating the schedules', () => deps.temporal.ensureSchedules(timeZone), isUnanswered);
    },
  });
  await deps.close();
}

runAsProcess(module, main);
