import { ParentClosePolicy, startChild, getExternalWorkflowHandle, log, sleep, type ChildWorkflowHandle } from '@temporalio/workflow';
import { TypedSearchAttributes, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from './search-attributes';
import type { webhookDelivery } from './webhook-delivery';
import { deliveryWorkflowId, superseded, type DeliveryInput } from './webhook-messages';

/** How often a start is tried while the child of an older chain is ending. */
const START_ATTEMPTS = 5;

/** The retried webhook deliveries of one order. Each has a child workflow, which may outlive the order's run. */
export class WebhookRetries {
  private readonly runningChains = new Map<string, number>();

  /**
   * Starts the delivery's workflow, unless this chain is already running. A child of an older chain is ended first, because children have
   * no conflict policy (https://github.com/temporalio/temporal/issues/6799).
   */
  async takeOver(delivery: DeliveryInput, taskQueue: string): Promise<void> {
    const { deliveryId, chain } = delivery;
    if ((this.runningChains.get(deliveryId) ?? 0) >= chain) return;
    this.runningChains.set(deliveryId, chain);
    try {
      await this.startWhenFree(delivery, taskQueue);
    } catch (error) {
      this.removeChain(delivery);
      throw error;
    }
  }

  private async startWhenFree(delivery: DeliveryInput, taskQueue: string): Promise<void> {
    for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
      const child = await this.start(delivery, taskQueue);
      if (child !== null) return this.removeWhenDone(delivery, child);
      // The signal ends a child of an older chain. A child of this chain, which an earlier run has started, ignores it.
      await this.signalSuperseded(delivery);
      await sleep(attempt * 300, { summary: 'the child of an older chain is ending' });
    }
    this.removeChain(delivery);
    log.info('the workflow of the delivery is already running', { deliveryId: delivery.deliveryId, chain: delivery.chain });
  }

  private async start(delivery: DeliveryInput, taskQueue: string): Promise<ChildWorkflowHandle<typeof webhookDelivery> | null> {
    try {
      return await startChild<typeof webhookDelivery>('webhookDelivery', {
        workflowId: deliveryWorkflowId(delivery.deliveryId),
        taskQueue,
        parentClosePolicy: ParentClosePolicy.ABANDON,
        args: [delivery],
        staticSummary: `${delivery.title}, after attempt ${delivery.attempt - 1}: ${delivery.lastAnswer}`,
        typedSearchAttributes: searchAttributesOf(delivery),
      });
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
      throw error;
    }
  }

  /** The order ignores the child's result: the delivery's row has it, and a failed child stays visible. */
  private removeWhenDone(delivery: DeliveryInput, child: ChildWorkflowHandle<typeof webhookDelivery>): void {
    const remove = (): void => this.removeChain(delivery);
    child.result().then(remove, remove);
  }

  private removeChain({ deliveryId, chain }: DeliveryInput): void {
    if (this.runningChains.get(deliveryId) === chain) this.runningChains.delete(deliveryId);
  }

  private async signalSuperseded({ deliveryId, chain }: DeliveryInput): Promise<void> {
    try {
      await getExternalWorkflowHandle(deliveryWorkflowId(deliveryId)).signal(superseded, { chain });
    } catch {
      log.info('the child of an older chain has ended', { deliveryId });
    }
  }
}

function searchAttributesOf({ endpointId, accountId }: DeliveryInput): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: SEARCH_ATTRIBUTES.deliveryState, value: 'pending' },
    { key: SEARCH_ATTRIBUTES.webhookEndpoint, value: endpointId },
    { key: SEARCH_ATTRIBUTES.tradeAccount, value: accountId },
  ]);
}
