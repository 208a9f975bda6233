import type { Client } from '@temporalio/client';
import { connects, until } from '../dev/ports';

const TIMEOUT_MS = 90_000;
/** temporal.api.enums.v1.TaskQueueType */
const WORKFLOW_TASKS = 1;

export async function whenListening(...ports: number[]): Promise<void> {
  await Promise.all(
    ports.map((port) =>
      until(`nothing listens on port ${port}`, async () => connects(`127.0.0.1:${port}`, 1000).then(() => true), { timeoutMs: TIMEOUT_MS }),
    ),
  );
}

/** Until this process asks for workflow tasks of these queues; the server remembers processes that have ended for some minutes. */
export async function whenPolled(client: Client, queues: string[], pid: number): Promise<void> {
  await Promise.all(
    queues.map((queue) =>
      until(
        `process ${pid} did not poll ${queue}`,
        async () => {
          const { pollers } = await client.workflowService.describeTaskQueue({
            namespace: client.options.namespace,
            taskQueue: { name: queue },
            taskQueueType: WORKFLOW_TASKS,
          });
          return (pollers ?? []).some(({ identity }) => identity?.startsWith(`${pid}@`)) ? true : undefined;
        },
        { timeoutMs: TIMEOUT_MS, everyMs: 200 },
      ),
    ),
  );
}
