import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import type { bare } from './workflows';

export const FLOOR_TASK_QUEUE = 'floor';

/** Sends update-with-start to a workflow with an empty handler. The argument has the length of a submission. */
export async function executeBareUpdate(client: Client, workflowId: string): Promise<void> {
  await client.workflow.executeUpdateWithStart<typeof bare, string, [string]>('empty', {
    args: ['x'.repeat(250)],
    startWorkflowOperation: new WithStartWorkflowOperation<typeof bare>('bare', {
      workflowId: `floor/${workflowId}`,
      taskQueue: FLOOR_TASK_QUEUE,
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });
}
