import { Pool } from 'pg';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { onTermination } from '../../src/processes/signals';
import { runAsProcess } from '../../src/processes/run-as-process';
import { createFloorActivities } from './rows';
import { FLOOR_TASK_QUEUE } from './update';

/** A worker with the same pollers and cache size as the service's. */
async function main(): Promise<void> {
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('WARN') });
  const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'], pipeline: true });
  const worker = await Worker.create({
    connection,
    taskQueue: FLOOR_TASK_QUEUE,
    activities: createFloorActivities(pool),
    workflowsPath: require.resolve('./workflows'),
    maxCachedWorkflows: 500,
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: 20 },
    shutdownGraceTime: 500,
  });
  void onTermination().then(() => worker.shutdown());
  await worker.run();
  await connection.close();
}

runAsProcess(module, main);
