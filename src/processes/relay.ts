import { Worker } from '@temporalio/worker';
import { createWebhookActivities } from '../../activities';
import { WEBHOOKS_TASK_QUEUE } from '../../workflows/webhook-messages';
import { loadConfig } from '../config';
import { createDependencies, type Dependencies } from '../dependencies';
import { onTermination, runAsProcess } from './run-as-process';
import { Relay } from '../relay/relay';
import { runWorker } from './run-worker';
import { commonOptions, type WorkerSettings } from '../temporal/workers';

/** The worker of task queue `webhooks`, which makes the retries: no receiver ever touches a process that orders need. */
export function createWebhooksWorker(deps: Dependencies, settings: WorkerSettings): Promise<Worker> {
  return Worker.create({
    ...commonOptions(deps, settings),
    taskQueue: settings.taskQueue ?? WEBHOOKS_TASK_QUEUE,
    activities: createWebhookActivities(deps),
    // An attempt is little but waiting; with eight to an endpoint, half of them waiting, it takes 125 that hang to fill this.
    maxConcurrentActivityTaskExecutions: 1000,
    // An attempt beats every two seconds and is missed after ten; the default throttle would leave it two of them.
    maxHeartbeatThrottleInterval: '2s',
  });
}

/** The relay process: first attempts, which need no Temporal, and the retries of what did not succeed, which do. */
async function main(): Promise<void> {
  const deps = await createDependencies(loadConfig(), 'relay');
  const termination = onTermination();
  const relay = new Relay(deps);
  relay.start();
  deps.logger.info('relaying');
  const retries = runWorker(deps, termination, (settings) => createWebhooksWorker(deps, settings));
  await Promise.race([termination, retries]);
  await Promise.all([relay.stop(), retries]);
  await deps.close();
}

runAsProcess(module, main);
