import { Worker } from '@temporalio/worker';
import { createWebhookActivities } from '../../activities';
import { pingsTaskQueue, WEBHOOKS_TASK_QUEUE } from '../../workflows/webhook-messages';
import { loadConfig } from '../config';
import { createDependencies, type Dependencies } from '../dependencies';
import { onTermination, runAsProcess } from './run-as-process';
import { Relay } from '../relay/relay';
import { runWorkers } from './run-workers';
import { commonWorkerOptions, type WorkerSettings } from '../temporal/workers';
import { workflowBundle } from '../workflow-bundle';

/** The worker of task queue `webhooks`, which makes the retries. Runs apart from the processes that orders need. */
export async function createWebhooksWorker(deps: Dependencies, settings: WorkerSettings): Promise<Worker> {
  return Worker.create({
    ...commonWorkerOptions(deps, settings, deps.config.worker.webhookSlots),
    workflowBundle: await workflowBundle('webhooks'),
    taskQueue: settings.taskQueue ?? WEBHOOKS_TASK_QUEUE,
    activities: createWebhookActivities(deps),
  });
}

/** The worker of the pings' task queue. */
export async function createPingsWorker(deps: Dependencies, settings: WorkerSettings): Promise<Worker> {
  const { pingEndpoint } = createWebhookActivities(deps);
  return Worker.create({
    ...commonWorkerOptions(deps, settings),
    taskQueue: pingsTaskQueue(settings.taskQueue ?? WEBHOOKS_TASK_QUEUE),
    activities: { pingEndpoint },
  });
}

/** The relay process: first attempts, which do not need Temporal, and retries, which do. */
async function main(): Promise<void> {
  const deps = await createDependencies(loadConfig(), 'relay');
  const termination = onTermination();
  const relay = new Relay(deps);
  relay.start();
  deps.logger.info('relaying');
  const workers = runWorkers(deps, termination, (settings) => [createWebhooksWorker(deps, settings), createPingsWorker(deps, settings)]);
  await Promise.race([termination, workers]);
  await Promise.all([relay.stop(), workers]);
  await deps.close();
}

runAsProcess(module, main);
