import type { OrderState } from '../domain/order-status';
import { isGrpcServiceError, QueryNotRegisteredError, WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import { orderState, orderWorkflowId, reload } from '../../workflows/messages';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes';
import { unwrapGrpcError } from './breaker';
import type { TemporalContext } from './options';

/** A run of an order's workflow in the visibility store, which may lag by seconds. */
export interface OrderRun {
  orderId: string;
  orderNumber: string | null;
  isRunning: boolean;
}

/** A running workflow of an order in Temporal's primary store. */
export interface RunningOrder {
  orderNumber: string | null;
  /** The `stateMark` of its state; null if it has not loaded the order. */
  mark: string | null;
  /** True if its workflow tasks fail. */
  isFailing: boolean;
}

/** A run whose workflow tasks fail. It accepts messages but does not process them. */
export class UnresponsiveRun extends Error {}

/**
 * Temporal refuses queries from this attempt of a workflow task on (https://github.com/temporalio/temporal/pull/4359). The death of a
 * worker leads only to the second attempt.
 */
const FAILING_ATTEMPTS = 3;
const FAILED_PRECONDITION = 9;

/** Temporal's view of running workflows, for comparison with the database. */
export class WorkflowRuns {
  constructor(private readonly context: TemporalContext) {}

  /** All runs of orders that Temporal still has, including closed ones. */
  async *listOrderRuns(): AsyncGenerator<OrderRun> {
    const { client, ordersTaskQueue } = this.context;
    for await (const { workflowId, status, typedSearchAttributes } of client.workflow.list({
      query: `WorkflowType = "order" AND TaskQueue = "${ordersTaskQueue}"`,
      pageSize: 1000,
    })) {
      yield {
        orderId: workflowId.slice(orderWorkflowId('').length),
        orderNumber: typedSearchAttributes.get(SEARCH_ATTRIBUTES.orderNumber) ?? null,
        isRunning: status.name === 'RUNNING',
      };
    }
  }

  /** Ids of the running workflows of this type in the visibility store. */
  async listRunningIds(workflowType: 'quoteExpiry' | 'webhookDelivery'): Promise<Set<string>> {
    const { client, ordersTaskQueue, settings } = this.context;
    const taskQueue = workflowType === 'quoteExpiry' ? ordersTaskQueue : settings.webhooksTaskQueue;
    const ids = new Set<string>();
    const query = `WorkflowType = "${workflowType}" AND TaskQueue = "${taskQueue}" AND ExecutionStatus = "Running"`;
    for await (const { workflowId } of client.workflow.list({ query, pageSize: 1000 })) ids.add(workflowId);
    return ids;
  }

  /** True if a workflow with this id is running. Uses Temporal's primary store. */
  async isRunning(workflowId: string): Promise<boolean> {
    return (await this.describeRunning(workflowId)) !== null;
  }

  /** The running workflow of the order, or null. Needs one call and no worker. */
  async describeOrder(orderId: string): Promise<RunningOrder | null> {
    const run = await this.describeRunning(orderWorkflowId(orderId));
    if (run === null) return null;
    return {
      orderNumber: run.typedSearchAttributes.get(SEARCH_ATTRIBUTES.orderNumber) ?? null,
      mark: (run.memo?.state as string | undefined) ?? null,
      isFailing: (run.raw.pendingWorkflowTask?.attempt ?? 0) >= FAILING_ATTEMPTS,
    };
  }

  /** The state of the order's workflow; null if there is no run, or it is still loading. Needs a worker. @throws UnresponsiveRun */
  async queryOrderState(orderId: string): Promise<OrderState | null> {
    try {
      return await this.withDeadline(() => this.context.client.workflow.getHandle(orderWorkflowId(orderId)).query(orderState));
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      if (!(error instanceof QueryNotRegisteredError) && !isNotReady(error)) throw error;
      if ((await this.describeOrder(orderId))?.isFailing === true) throw new UnresponsiveRun(`the workflow tasks of ${orderId} fail`);
      return null;
    }
  }

  /** Terminates the order's run. Does nothing if it has closed. Its history is kept. */
  async terminate(orderId: string, reason: string): Promise<void> {
    await this.callIfOpen(orderWorkflowId(orderId), (run) => run.terminate(reason));
  }

  /** Makes the order's workflow load the stored state, or end if there is none. Does nothing if it has closed. */
  async reload(orderId: string): Promise<void> {
    await this.callIfOpen(orderWorkflowId(orderId), (run) => run.signal(reload));
  }

  private async describeRunning(workflowId: string) {
    const run = await this.callIfOpen(workflowId, (handle) => handle.describe());
    return run?.status.name === 'RUNNING' ? run : null;
  }

  /** Calls Temporal about a workflow. Returns null if Temporal does not have it, or cannot change it because it has closed. */
  private async callIfOpen<T>(workflowId: string, call: (run: WorkflowHandle) => Promise<T>): Promise<T | null> {
    try {
      return await this.withDeadline(() => call(this.context.client.workflow.getHandle(workflowId)));
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }

  private withDeadline<T>(work: () => Promise<T>): Promise<T> {
    const { client, timeouts } = this.context;
    return client.withDeadline(Date.now() + timeouts.responseMs, work);
  }
}

/** True if Temporal cannot query the run, because its workflow task fails or its first task has not run. */
function isNotReady(error: unknown): boolean {
  const cause = unwrapGrpcError(error);
  return isGrpcServiceError(cause) && cause.code === FAILED_PRECONDITION;
}
