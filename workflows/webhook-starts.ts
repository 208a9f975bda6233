import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { log, ParentClosePolicy, startChild } from '@temporalio/workflow';
import { webhookDelivery } from './webhook-delivery';
import { deliveryWorkflowId } from './webhook-messages';

/**
 * Starts one abandoned child per delivery without holding up the order. The rows are stored already: a start that fails is
 * made up for by the sweeper, and one that runs already is as good.
 */
export class DeliveryStarts {
  private underWay = 0;

  constructor(private readonly taskQueue: string) {}

  start(deliveryIds: string[] = []): void {
    for (const deliveryId of deliveryIds) {
      this.underWay += 1;
      void this.startOne(deliveryId).finally(() => {
        this.underWay -= 1;
      });
    }
  }

  /** An order's workflow may only end once its children have begun. */
  allStarted(): boolean {
    return this.underWay === 0;
  }

  private async startOne(deliveryId: string): Promise<void> {
    try {
      await startChild(webhookDelivery, {
        workflowId: deliveryWorkflowId(deliveryId),
        taskQueue: this.taskQueue,
        parentClosePolicy: ParentClosePolicy.ABANDON,
        memo: { chain: 1 },
        args: [{ deliveryId, chain: 1, attempt: 1 }],
        staticSummary: `Delivery ${deliveryId}`,
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) log.warn('a delivery was not started', { deliveryId });
    }
  }
}
