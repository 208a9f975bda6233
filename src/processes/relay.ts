import { Runtime, Worker } from '@temporalio/worker';
import { createWebhookActivities } from '../../activities';
import { WEBHOOKS_TASK_QUEUE } from '../../workflows/webhook-messages';
import { loadConfig } from '../config';
import { createDependencies, type Dependencies } from '../dependencies';
import { onTermination, runAsProcess } from './run-as-process';
import { Relay } from '../relay/relay';
import { commonOptions, connectPatiently, quietTemporalLogger, type WorkerSettings } from '../temporal/workers';
import { workflowBundle } from '../workflow-bundle';

/** The worker of task queue `webhooks`, which makes the retries: no receiver ever touches a process that orders need. */
export function createWebhooksWorker(deps: Dependencies, settings: WorkerSettings): Promise<Worker> {
  return Worker.create({
    ...commonOptions(deps, settings),
    taskQueue: settings.taskQueue ?? WEBHOOKS_TASK_QUEUE,
    activities: createWebhookActivities(deps),
    // An attempt is little but waiting; with four to an endpoint it takes 250 that hang to fill this.
    maxConcurrentActivityTaskExecutions: 1000,
    // An attempt beats every two seconds and is missed after ten; the default throttle would leave it two of them.
    maxHeartbeatThrottleInterval: '2s',
  });
}

/** The relay process: first attempts, which need no Temporal, and the retries of what did not succeed, which do. */
async function main(): Promise<void> {
  const deps = await createDependencies(loadConfig(), 'relay');
  Runtime.install({ shutdownSignals: [], logger: quietTemporalLogger(deps) });
  const termination = onTermination();
  const relay = new Relay(deps);
  relay.start();
  deps.logger.info('relaying');
  const retries = workOnRetries(deps, termination);
  await Promise.race([termination, retries]);
  deps.logger.info('stopping');
  await Promise.all([relay.stop(), retries]);
  await deps.close();
}

/** Until termination; resolves once nothing is under way. */
async function workOnRetries(deps: Dependencies, termination: Promise<void>): Promise<void> {
  const connection = await connectPatiently(deps, termination);
  if (connection === null) return;
  const worker = await createWebhooksWorker(deps, { connection, workflowBundle: await workflowBundle() });
  const done = worker.run();
  deps.logger.info({ taskQueue: WEBHOOKS_TASK_QUEUE }, 'working');
  await Promise.race([termination, done]);
  if (worker.getState() === 'RUNNING') worker.shutdown();
  await done;
  await connection.close();
}

runAsProcess(module, main);
