import { NativeConnection, Runtime } from '@temporalio/worker';
import { loadConfig } from '../../../../src/config/config';
import { createDependencies } from '../../../../src/processes/dependencies';
import { createWebhooksWorker } from '../../../../src/processes/relay';
import { Relay } from '../../../../src/relay/relay';
import { createOrdersWorker } from '../../../../src/processes/worker';

/** Worker and relay on the task queues of one test, in one process that ends with its parent at the latest. */
async function main(): Promise<void> {
  const { TEST_TASK_QUEUE: taskQueue = '' } = process.env;
  const webhooksTaskQueue = `${taskQueue}-webhooks`;
  const deps = await createDependencies(loadConfig(), 'worker', { taskQueue, webhooksTaskQueue });
  Runtime.install({ shutdownSignals: [] });
  const connection = await NativeConnection.connect({ address: deps.config.temporal.address });
  const workers = await Promise.all([
    createOrdersWorker(deps, { connection, taskQueue }),
    createWebhooksWorker(deps, { connection, taskQueue: webhooksTaskQueue }),
  ]);
  const done = Promise.all(workers.map((worker) => worker.run()));
  new Relay(deps).start();
  process.send?.('working');
  await done;
}

process.once('disconnect', () => process.exit());
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
