import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import { FLOOR_TASK_QUEUE } from './messages';
import type { bare } from './workflows';

/** Update-with-start of the workflow that does nothing; the update's argument is as long as a submission's. */
export async function bareUpdate(client: Client, workflowId: string): Promise<void> {
  await client.workflow.executeUpdateWithStart<typeof bare, string, [string]>('empty', {
    args: ['x'.repeat(250)],
    startWorkflowOperation: new WithStartWorkflowOperation<typeof bare>('bare', {
      workflowId: `floor/${workflowId}`,
      taskQueue: FLOOR_TASK_QUEUE,
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });
}
