import { onTermination } from './signals';
import { Worker } from '@temporalio/worker';
import { createWebhookActivities } from '../../activities';
import type { ActivityDeps } from '../../activities/deps';
import { pingsTaskQueue, WEBHOOKS_TASK_QUEUE } from '../../workflows/webhook-messages';
import { loadConfig } from '../config/config';
import { createDependencies } from './dependencies';
import { runAsProcess } from './run-as-process';
import { Relay } from '../relay/relay';
import { runWorkers } from './run-workers';
import { commonWorkerOptions, SHUTDOWN_GRACE_MS, type WorkerDeps, type WorkerSettings } from '../temporal/workers';
import { workflowBundle } from '../temporal/workflow-bundle';

/**
 * The worker of task queue `webhooks`, which retries deliveries. It does not run in the order worker's process, so it cannot slow orders.
 */
export async function createWebhooksWorker(deps: ActivityDeps & WorkerDeps, settings: WorkerSettings): Promise<Worker> {
  return Worker.create({
    ...commonWorkerOptions(deps, settings, deps.config.worker.webhookSlots),
    workflowBundle: await workflowBundle('webhooks'),
    taskQueue: settings.taskQueue ?? WEBHOOKS_TASK_QUEUE,
    activities: createWebhookActivities(deps),
  });
}

/** The worker of the pings' task queue. */
export async function createPingsWorker(deps: ActivityDeps & WorkerDeps, settings: WorkerSettings): Promise<Worker> {
  const { pingEndpoint } = createWebhookActivities(deps);
  return Worker.create({
    ...commonWorkerOptions(deps, settings),
    taskQueue: pingsTaskQueue(settings.taskQueue ?? WEBHOOKS_TASK_QUEUE),
    activities: { pingEndpoint },
  });
}

/** The relay process. It makes first attempts even without Temporal, and retries with Temporal. */
async function main(): Promise<void> {
  const deps = await createDependencies(loadConfig(), 'relay');
  const termination = onTermination();
  const relay = new Relay(deps);
  relay.start();
  deps.logger.info('relaying');
  const workers = runWorkers(deps, termination, (settings) => [createWebhooksWorker(deps, settings), createPingsWorker(deps, settings)]);
  await Promise.race([termination, workers]);
  await Promise.all([relay.stop(SHUTDOWN_GRACE_MS), workers]);
  await deps.close();
}

runAsProcess(module, main);
