import type { OrderState } from '../domain/order-status';
import { isGrpcServiceError, QueryNotRegisteredError, WorkflowNotFoundError } from '@temporalio/client';
import { orderState, orderWorkflowId, reload } from '../../workflows/messages';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes';
import { unwrapGrpcError } from './breaker';
import { RESPONSE_TIMEOUT_MS, type TemporalContext } from './options';

/** A run of an order's workflow as the visibility store shows it, which may be seconds behind. */
export interface OrderRun {
  orderId: string;
  orderNumber: string | null;
  isRunning: boolean;
}

/** A run whose workflow tasks fail: it takes in whatever it is sent, and does nothing. */
export class UnresponsiveRun extends Error {}

/** From this attempt at a workflow task on, Temporal refuses queries (https://github.com/temporalio/temporal/pull/4359). A task whose worker died is at its second. */
const FAILING_ATTEMPTS = 3;
const FAILED_PRECONDITION = 9;

/** What runs, seen from Temporal's side: for comparing it with what is stored. */
export class WorkflowRuns {
  constructor(private readonly context: TemporalContext) {}

  /** Every run of an order that Temporal still has, closed ones too. */
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

  /** Ids of the workflows of this type that run, as far as the visibility store knows. */
  async listRunningIds(workflowType: 'quoteHold' | 'webhookDelivery'): Promise<Set<string>> {
    const ids = new Set<string>();
    const query = `WorkflowType = "${workflowType}" AND ExecutionStatus = "Running"`;
    for await (const { workflowId } of this.context.client.workflow.list({ query, pageSize: 1000 })) ids.add(workflowId);
    return ids;
  }

  /** Whether a workflow of this id runs now, by Temporal's own state. */
  async isRunning(workflowId: string): Promise<boolean> {
    try {
      const { status } = await this.withDeadline(() => this.context.client.workflow.getHandle(workflowId).describe());
      return status.name === 'RUNNING';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  /** What the order's workflow holds; null where there is none, or it is still reading. Needs a worker. @throws RunCannotAnswer */
  async queryOrderState(orderId: string): Promise<OrderState | null> {
    try {
      return await this.withDeadline(() => this.context.client.workflow.getHandle(orderWorkflowId(orderId)).query(orderState));
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      if (!(error instanceof QueryNotRegisteredError) && !isNotReady(error)) throw error;
      await this.assertResponsive(orderWorkflowId(orderId));
      return null;
    }
  }

  /** Ends the order's run where it stands; one that has closed meanwhile is as good. Its history stays as long as any. */
  async terminate(orderId: string, reason: string): Promise<void> {
    try {
      await this.withDeadline(() => this.context.client.workflow.getHandle(orderWorkflowId(orderId)).terminate(reason));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  /** Makes the order's workflow take over what is stored, or end where nothing is. One that has closed meanwhile is as good. */
  async reload(orderId: string): Promise<void> {
    try {
      await this.withDeadline(() => this.context.client.workflow.getHandle(orderWorkflowId(orderId)).signal(reload));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  /** @throws RunCannotAnswer */
  private async assertResponsive(workflowId: string): Promise<void> {
    const { status, raw } = await this.withDeadline(() => this.context.client.workflow.getHandle(workflowId).describe());
    const attempts = raw.pendingWorkflowTask?.attempt ?? 0;
    if (status.name === 'RUNNING' && attempts >= FAILING_ATTEMPTS)
      throw new UnresponsiveRun(`${workflowId}: attempt ${attempts} at its workflow task`);
  }

  private withDeadline<T>(work: () => Promise<T>): Promise<T> {
    return this.context.client.withDeadline(Date.now() + RESPONSE_TIMEOUT_MS, work);
  }
}

/** Temporal's word for a run that cannot be asked: its workflow task fails, or its first is still to come. */
function isNotReady(error: unknown): boolean {
  const cause = unwrapGrpcError(error);
  return isGrpcServiceError(cause) && cause.code === FAILED_PRECONDITION;
}
