import { bundleWorkflowCode, NativeConnection, Runtime, Worker, type WorkflowBundle } from '@temporalio/worker';
import { createActivities, createWebhookActivities } from '../activities';
import { ORDERS_TASK_QUEUE } from '../workflows/messages';
import { WEBHOOKS_TASK_QUEUE } from '../workflows/webhook-messages';
import { ConfigError, loadConfig } from './config';
import { createDependencies, type Dependencies } from './dependencies';
import { onTermination } from './process';
import { connectionOptions } from './temporal/connect';
import { WORKFLOW_BUNDLE } from './workflow-bundle';

export interface WorkerSettings {
  connection: NativeConnection;
  /** Task queue instead of `orders` or `webhooks`. */
  taskQueue?: string;
  /** The bundled workflow code, shared by both workers. */
  workflowBundle: WorkflowBundle | { codePath: string };
  shutdownGraceMs?: number;
}

/** The worker of task queue `orders`: order workflows, quote holds, the sweeper and their activities. */
export function createOrdersWorker(deps: Dependencies, settings: WorkerSettings): Promise<Worker> {
  return Worker.create({
    ...common(deps, settings),
    taskQueue: settings.taskQueue ?? ORDERS_TASK_QUEUE,
    activities: createActivities(deps),
    // Simple pollers: measured faster here than the default (see docs/operations.md).
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 20 },
  });
}

/** The worker of task queue `webhooks`: slow endpoints take its room, never that of orders. */
export function createWebhooksWorker(deps: Dependencies, settings: WorkerSettings): Promise<Worker> {
  return Worker.create({
    ...common(deps, settings),
    taskQueue: settings.taskQueue ?? WEBHOOKS_TASK_QUEUE,
    activities: createWebhookActivities(deps),
    maxConcurrentActivityTaskExecutions: 200,
    // An attempt beats every two seconds and is missed after ten; the default throttle would leave it two of them.
    maxHeartbeatThrottleInterval: '2s',
  });
}

function common(deps: Dependencies, { connection, workflowBundle, shutdownGraceMs }: WorkerSettings) {
  return {
    connection,
    namespace: deps.config.temporal.namespace,
    workflowBundle,
    maxCachedWorkflows: deps.config.workerMaxCachedWorkflows,
    shutdownGraceTime: shutdownGraceMs ?? 8000,
    shutdownForceTime: 10_000,
  };
}

async function main(): Promise<void> {
  const config = loadConfig();
  const deps = await createDependencies(config, 'worker');
  Runtime.install({ shutdownSignals: [], logger: quietTemporalLogger(deps) });
  const connection = await connectPatiently(deps);
  if (connection === null) return deps.close();
  const workflowBundle = await bundleWorkflowCode(WORKFLOW_BUNDLE);
  const workers = await Promise.all([createOrdersWorker(deps, { connection, workflowBundle }), createWebhooksWorker(deps, { connection, workflowBundle })]);
  const done = Promise.all(workers.map((worker) => worker.run()));
  await deps.temporal.ensureSweeper();
  deps.logger.info({ taskQueues: [ORDERS_TASK_QUEUE, WEBHOOKS_TASK_QUEUE] }, 'working');
  await Promise.race([onTermination(), done]);
  deps.logger.info('stopping');
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  await done;
  await connection.close();
  await deps.close();
}

/** Waits for Temporal to come up; null when asked to stop meanwhile. */
async function connectPatiently(deps: Dependencies): Promise<NativeConnection | null> {
  let stopped = false;
  const stop = onTermination().then(() => {
    stopped = true;
  });
  const options = await connectionOptions(deps.config.temporal);
  for (let attempt = 1; !stopped; attempt += 1) {
    try {
      return await NativeConnection.connect(options);
    } catch (error) {
      deps.logger.warn({ err: error, attempt }, 'Temporal cannot be reached yet');
      await Promise.race([stop, new Promise((resolve) => setTimeout(resolve, Math.min(attempt, 5) * 1000))]);
    }
  }
  return null;
}

/** The SDK's own messages, in our log's shape; its routine chatter at debug. */
function quietTemporalLogger({ logger }: Dependencies) {
  const write = (level: string, message: string, meta?: object): void => {
    const name = level.toLowerCase();
    const method = name === 'warn' || name === 'error' ? name : 'debug';
    if (logger.isLevelEnabled(method)) logger[method]({ ...meta }, message);
  };
  return {
    log: write,
    trace: (message: string, meta?: object) => write('trace', message, meta),
    debug: (message: string, meta?: object) => write('debug', message, meta),
    info: (message: string, meta?: object) => write('info', message, meta),
    warn: (message: string, meta?: object) => write('warn', message, meta),
    error: (message: string, meta?: object) => write('error', message, meta),
  };
}

if (require.main === module) {
  main().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error instanceof ConfigError ? error.message : error);
      process.exit(1);
    },
  );
}
