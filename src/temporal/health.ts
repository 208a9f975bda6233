import { currentBuild } from './deployment';
import type { TemporalContext } from './options';

const WORKFLOW_TASK_QUEUE = 1; // temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW
const ACTIVITY_TASK_QUEUE = 2; // temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY
const VERSIONED = 2; // temporal.api.enums.v1.WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED

/** Rejects if Temporal does not answer in time. Describes the namespace, because that answer comes from Temporal's database. */
export async function probe({ client, namespace, timeouts }: Pick<TemporalContext, 'client' | 'namespace' | 'timeouts'>): Promise<void> {
  await client.withDeadline(Date.now() + timeouts.probeMs, () => client.workflowService.describeNamespace({ namespace }));
}

/**
 * True if a worker of the current build polls this task queue. Without a current build, an unversioned worker must poll it. A long poll
 * lasts a minute, so a poll within 75 seconds counts.
 * @throws if Temporal does not answer in `timeoutMs`
 */
export async function isWorkerPolling(
  { client, namespace, timeouts }: TemporalContext,
  taskQueue: string,
  timeoutMs = timeouts.probeMs,
): Promise<boolean> {
  const [{ pollers }, current] = await client.withDeadline(Date.now() + timeoutMs, () =>
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

/** The tasks of one type that wait in a task queue for a worker. */
export interface Backlog {
  queue: string;
  taskType: 'workflow' | 'activity';
  count: number;
  /** 0 if no task waits. */
  oldestSeconds: number;
}

const TASK_TYPES = { workflow: WORKFLOW_TASK_QUEUE, activity: ACTIVITY_TASK_QUEUE } as const;

/**
 * The waiting tasks of each task queue, by its name here. Tasks for cached workflows are not among them: after ten seconds without a worker
 * they move to the queue.
 */
export async function readBacklogs(
  { client, namespace, timeouts }: TemporalContext,
  queues: Readonly<Record<string, string>>,
): Promise<Backlog[]> {
  const read = async ([queue, name]: [string, string], taskType: Backlog['taskType']): Promise<Backlog[]> => {
    const { stats } = await client.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType: TASK_TYPES[taskType],
      reportStats: true,
    });
    if (!stats) return []; // a server before 1.25
    const { seconds, nanos } = stats.approximateBacklogAge ?? {};
    const oldestSeconds = Number(seconds ?? 0) + (nanos ?? 0) / 1e9;
    return [{ queue, taskType, count: Number(stats.approximateBacklogCount ?? 0), oldestSeconds }];
  };
  const readAll = () => Promise.all(Object.entries(queues).flatMap((queue) => [read(queue, 'workflow'), read(queue, 'activity')]));
  return (await client.withDeadline(Date.now() + timeouts.probeMs, readAll)).flat();
}
