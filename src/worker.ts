import path from 'node:path';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../activities';
import { ORDERS_TASK_QUEUE } from '../workflows/messages';
import { ConfigError, loadConfig } from './config';
import { createDependencies, type Dependencies } from './dependencies';
import { onTermination } from './process';
import { connectionOptions } from './temporal/connect';

export interface OrdersWorkerOptions {
  connection: NativeConnection;
  taskQueue?: string;
  /** Bundled workflow code; bundled from the sources when absent. */
  workflowBundlePath?: string;
  shutdownGraceMs?: number;
}

/** The worker of task queue `orders`: order workflows, quote holds, the sweeper and their activities. */
export function createOrdersWorker(deps: Dependencies, options: OrdersWorkerOptions): Promise<Worker> {
  const workflows: Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> = options.workflowBundlePath === undefined
    ? { workflowsPath: path.join(__dirname, '../workflows') }
    : { workflowBundle: { codePath: options.workflowBundlePath } };
  return Worker.create({
    connection: options.connection,
    namespace: deps.config.temporal.namespace,
    taskQueue: options.taskQueue ?? ORDERS_TASK_QUEUE,
    ...workflows,
    activities: createActivities(deps),
    maxCachedWorkflows: deps.config.workerMaxCachedWorkflows,
    // Simple pollers: measured faster here than the default (see docs/operations.md).
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 20 },
    shutdownGraceTime: options.shutdownGraceMs ?? 8000,
    shutdownForceTime: 10_000,
  });
}

async function main(): Promise<void> {
  const config = loadConfig();
  const deps = await createDependencies(config, 'worker');
  Runtime.install({ shutdownSignals: [], logger: quietTemporalLogger(deps) });
  const connection = await connectPatiently(deps);
  if (connection === null) return deps.close();
  const worker = await createOrdersWorker(deps, { connection });
  const done = worker.run();
  await deps.temporal.ensureSweeper();
  deps.logger.info({ taskQueue: ORDERS_TASK_QUEUE }, 'working');
  await Promise.race([onTermination(), done]);
  deps.logger.info('stopping');
  if (worker.getState() === 'RUNNING') worker.shutdown();
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
    logger[method]({ ...meta }, message);
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
