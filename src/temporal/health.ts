import type { Client } from '@temporalio/client';
import { currentBuild } from './deployment';
import type { TemporalContext } from './options';

const WORKFLOW_TASK_QUEUE = 1; // temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW
const VERSIONED = 2; // temporal.api.enums.v1.WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED
const PROBE_TIMEOUT_MS = 1_200;

/** Rejects if Temporal does not answer in time. Describes the namespace, because that answer comes from Temporal's database. */
export async function probe(client: Client, namespace: string): Promise<void> {
  await client.withDeadline(Date.now() + PROBE_TIMEOUT_MS, () => client.workflowService.describeNamespace({ namespace }));
}

/**
 * True if a worker of the current build polls this task queue. Without a current build, an unversioned worker must poll it. A long poll
 * lasts a minute, so a poll within 75 seconds counts.
 */
export async function isWorkerPolling({ client, namespace }: TemporalContext, taskQueue: string): Promise<boolean> {
  const [{ pollers }, current] = await client.withDeadline(Date.now() + PROBE_TIMEOUT_MS, () =>
    Promise.all([
      client.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: taskQueue },
        taskQueueType: WORKFLOW_TASK_QUEUE,
      }),
      currentBuild(client),
    ]),
  );
  return pollers.some(({ lastAccessTime, deploymentOptions }) => {
    const build = deploymentOptions?.workerVersioningMode === VERSIONED ? deploymentOptions.buildId : null;
    return build === current && Number(lastAccessTime?.seconds ?? 0) * 1000 > Date.now() - 75_000;
  });
}
