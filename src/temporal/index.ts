import { setTimeout } from 'node:timers/promises';
import {
  Client, isGrpcServiceError, ScheduleAlreadyRunning, ScheduleOverlapPolicy, WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError,
  WorkflowUpdateFailedError, type Connection,
} from '@temporalio/client';
import { ApplicationFailure, TypedSearchAttributes } from '@temporalio/common';
import { ApiError, ERROR_STATUS, type ErrorCode, type ErrorDetails } from '../domain/errors';
import type { Environment } from '../domain/limits';
import type { OrderMessage } from '../domain/order-status';
import {
  applyMilestone, cancelOrder, ORDER_REVISION, ORDERS_TASK_QUEUE, orderWorkflowId, quoteConsumed, quoteWorkflowId, submitOrder, type OrderInput, type SubmitOrder,
} from '../../workflows/messages';
import { SEARCH_ATTRIBUTES } from '../../workflows/order-visibility';
import { deliveryWorkflowId, WEBHOOKS_TASK_QUEUE, type DeliveryInput, type RecoverInput } from '../../workflows/webhook-messages';
import type { PingResult } from '../../activities/webhook-contract';
import type { order, quoteHold, webhookDelivery, webhookPing, webhookRecover } from '../../workflows';

export { orderWorkflowId };

/** What starts or resumes an order's workflow: ids only. */
export interface OrderRef {
  orderId: string;
  orderNumber: string;
  accountId: string;
  environment: Environment;
}

export interface TemporalDoorOptions {
  connection: Connection;
  namespace: string;
  taskQueue?: string;
  webhooksTaskQueue?: string;
  quietPeriodMs: number;
  statusAttribute: boolean;
}

/** How long a caller waits for an order's workflow to answer, ms. */
const ANSWER_MS = 15_000;
/** Of one update that reaches a workflow just as it closes or continues as new. */
const MOST_TRIES = 8;
const HOLD_MS = 2_000;
const WORKFLOW_TASK_QUEUE = 1; // temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW

/** The only door from HTTP and activities to Temporal. Throws ApiError for refusals; other errors are faults. */
export class TemporalDoor {
  readonly client: Client;
  private readonly underWay = new Set<Promise<void>>();
  private readonly taskQueue: string;
  private readonly webhooksTaskQueue: string;

  constructor(private readonly options: TemporalDoorOptions) {
    this.client = new Client({ connection: options.connection, namespace: options.namespace });
    this.taskQueue = options.taskQueue ?? ORDERS_TASK_QUEUE;
    this.webhooksTaskQueue = options.webhooksTaskQueue ?? WEBHOOKS_TASK_QUEUE;
  }

  /** Places an order: update-with-start, the update's id is the idempotency record's, so a repeat joins the first. */
  async submitOrder(ref: OrderRef, submission: SubmitOrder): Promise<void> {
    await this.updateOrder(ref, 'submit', submission.requestId, {
      definition: submitOrder,
      updateId: submission.idempotencyRecordId,
      argument: submission,
    });
  }

  /** Applies a milestone, parcel or payment; resumes the workflow from the database where it is closed or lost. */
  async applyMilestone(ref: OrderRef, message: OrderMessage, requestId: string): Promise<void> {
    await this.updateOrder(ref, 'resume', requestId, { definition: applyMilestone, argument: message });
  }

  async cancelOrder(ref: OrderRef, requestId: string): Promise<void> {
    await this.updateOrder(ref, 'resume', requestId, { definition: cancelOrder, argument: { requestId } });
  }

  async startQuoteHold(quoteId: string, expiresAt: Date): Promise<void> {
    await this.ignoreAlreadyStarted(this.client.withDeadline(Date.now() + HOLD_MS, () =>
      this.client.workflow.start<typeof quoteHold>('quoteHold', {
        workflowId: quoteWorkflowId(quoteId),
        taskQueue: this.taskQueue,
        args: [{ quoteId, expiresAt: expiresAt.toISOString() }],
        staticSummary: `Hold of ${quoteId}`,
      })));
  }

  /**
   * Ends the hold of a quote that was ordered; nobody waits for it but `close`. A hold that is gone needs none; one that cannot
   * be told ends when it expires.
   */
  releaseHold(quoteId: string, failed: (error: unknown) => void): void {
    const told = this.tellHold(quoteId).catch(failed);
    this.underWay.add(told);
    void told.finally(() => this.underWay.delete(told));
  }

  /** Resolves when nothing is under way that nobody waits for. */
  async close(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private async tellHold(quoteId: string): Promise<void> {
    try {
      await this.client.withDeadline(Date.now() + HOLD_MS, () => this.client.workflow.getHandle(quoteWorkflowId(quoteId)).signal(quoteConsumed));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  /** Starts a lost order's workflow; false when it was running after all. */
  resumeOrder(ref: OrderRef): Promise<boolean> {
    return this.ignoreAlreadyStarted(this.client.workflow.start<typeof order>('order', {
      ...this.orderOptions(ref, 'resume', 'sweep'),
      workflowIdConflictPolicy: 'FAIL',
    }));
  }

  /** Starts a pending delivery whose workflow is missing; false when its present chain was running after all. */
  async startMissingDelivery(input: DeliveryInput): Promise<boolean> {
    if (await this.ignoreAlreadyStarted(this.startDelivery(input, 'FAIL'))) return true;
    const { memo } = await this.client.workflow.getHandle(deliveryWorkflowId(input.deliveryId)).describe();
    if (memo?.chain === input.chain) return false;
    await this.startDelivery(input, 'TERMINATE_EXISTING'); // an older chain that sleeps on
    return true;
  }

  /** Begins a delivery's chain anew; a chain that still waits is ended. */
  async restartDelivery(input: DeliveryInput): Promise<void> {
    await this.startDelivery(input, 'TERMINATE_EXISTING');
  }

  private startDelivery(input: DeliveryInput, workflowIdConflictPolicy: 'FAIL' | 'TERMINATE_EXISTING') {
    return this.client.withDeadline(Date.now() + ANSWER_MS, () => this.client.workflow.start<typeof webhookDelivery>('webhookDelivery', {
      workflowId: deliveryWorkflowId(input.deliveryId),
      workflowIdConflictPolicy,
      memo: { chain: input.chain },
      taskQueue: this.webhooksTaskQueue,
      args: [input],
      staticSummary: `Delivery ${input.deliveryId}`,
    }));
  }

  /** A signed ping by the webhook worker; rejects when it does not answer in time. */
  pingEndpoint(endpointId: string, requestId: string): Promise<PingResult> {
    return this.client.withDeadline(Date.now() + ANSWER_MS, () =>
      this.client.workflow.execute<typeof webhookPing>('webhookPing', {
        workflowId: `ping/${endpointId}/${requestId}`,
        workflowIdConflictPolicy: 'USE_EXISTING',
        taskQueue: this.webhooksTaskQueue,
        args: [{ endpointId }],
        workflowExecutionTimeout: '1m',
      }));
  }

  /** Starts the recovery of an endpoint's deliveries; a repeat under the same id joins it. */
  async recoverDeliveries(input: RecoverInput, requestId: string): Promise<void> {
    await this.client.withDeadline(Date.now() + ANSWER_MS, () => this.client.workflow.start<typeof webhookRecover>('webhookRecover', {
      workflowId: `recover/${input.endpointId}/${requestId}`,
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: this.webhooksTaskQueue,
      args: [input],
      staticSummary: `Recovery of ${input.endpointId} since ${input.since}`,
    }));
  }

  /** Which of these orders have a workflow that runs, as far as the visibility store knows by now. */
  async runningOrders(orderIds: string[]): Promise<Set<string>> {
    const running = new Set<string>();
    for (let start = 0; start < orderIds.length; start += 100) {
      const ids = orderIds.slice(start, start + 100).map((id) => `"${orderWorkflowId(id)}"`).join(', ');
      const query = `WorkflowId IN (${ids}) AND ExecutionStatus = "Running"`;
      for await (const found of this.client.workflow.list({ query })) running.add(found.workflowId.slice('order/'.length));
    }
    return running;
  }

  /** The schedule that finds rows without their workflow; made once, left alone afterwards. */
  async ensureSweeper(): Promise<void> {
    try {
      await this.client.schedule.create({
        scheduleId: 'sweeper',
        spec: { intervals: [{ every: '5m' }] },
        action: { type: 'startWorkflow', workflowType: 'sweep', taskQueue: this.taskQueue, workflowId: 'sweep' },
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
      });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    }
  }

  /** Rejects when Temporal does not answer within two seconds. */
  async ping(): Promise<void> {
    await this.client.withDeadline(Date.now() + 2000, () => this.client.workflowService.getSystemInfo({}));
  }

  /** True while a worker asks this task queue for work: a long poll lasts a minute. */
  async workerIsPolling(): Promise<boolean> {
    const { namespace } = this.options;
    const { pollers } = await this.client.withDeadline(Date.now() + 2000, () => this.client.workflowService.describeTaskQueue({
      namespace, taskQueue: { name: this.taskQueue }, taskQueueType: WORKFLOW_TASK_QUEUE,
    }));
    return (pollers ?? []).some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 > Date.now() - 75_000);
  }

  private orderOptions(ref: OrderRef, startedFor: OrderInput['startedFor'], requestId: string) {
    const input: OrderInput = {
      orderId: ref.orderId,
      orderNumber: ref.orderNumber,
      revision: ORDER_REVISION,
      startedFor,
      quietPeriodMs: this.options.quietPeriodMs,
      statusAttribute: this.options.statusAttribute,
      webhooksTaskQueue: this.webhooksTaskQueue,
    };
    return {
      workflowId: orderWorkflowId(ref.orderId),
      taskQueue: this.taskQueue,
      args: [input] as [OrderInput],
      memo: { requestId, orderId: ref.orderId },
      staticSummary: `Order ${ref.orderNumber} (${ref.environment})`,
      typedSearchAttributes: new TypedSearchAttributes([
        { key: SEARCH_ATTRIBUTES.orderNumber, value: ref.orderNumber },
        ...(this.options.statusAttribute ? [{ key: SEARCH_ATTRIBUTES.orderStatus, value: 'received' }] : []),
        { key: SEARCH_ATTRIBUTES.tradeAccount, value: ref.accountId },
        { key: SEARCH_ATTRIBUTES.environment, value: ref.environment },
      ]),
    };
  }

  /** Tried again where the workflow closed just as the update reached it: the next start makes a new run. */
  private async updateOrder<A>(ref: OrderRef, startedFor: OrderInput['startedFor'], requestId: string, update: OrderUpdate<A>): Promise<void> {
    const deadline = Date.now() + ANSWER_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.client.withDeadline(deadline, () => this.updateWithStart(ref, startedFor, requestId, update));
        return;
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal !== null) throw refusal;
        if (attempt >= MOST_TRIES || !worthAnotherTry(error)) throw error;
        await setTimeout(attempt * 50);
      }
    }
  }

  private updateWithStart<A>(ref: OrderRef, startedFor: OrderInput['startedFor'], requestId: string, update: OrderUpdate<A>) {
    return this.client.workflow.executeUpdateWithStart(update.definition, {
      args: [update.argument],
      ...(update.updateId === undefined ? {} : { updateId: update.updateId }),
      startWorkflowOperation: new WithStartWorkflowOperation<typeof order>('order', {
        ...this.orderOptions(ref, startedFor, requestId),
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    });
  }

  private async ignoreAlreadyStarted(start: Promise<unknown>): Promise<boolean> {
    try {
      await start;
      return true;
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
      throw error;
    }
  }
}

interface OrderUpdate<A> {
  definition: import('@temporalio/common').UpdateDefinition<{ orderId: string }, [A]>;
  updateId?: string;
  argument: A;
}

/** The workflow's refusal as the error it stands for, or null. */
function refusalOf(error: unknown): ApiError | null {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  if (!(cause instanceof ApplicationFailure) || !Object.hasOwn(ERROR_STATUS, cause.type ?? '')) return null;
  const details = cause.details?.[0] as ErrorDetails | undefined;
  return new ApiError(cause.type as ErrorCode, cause.message, details);
}

/**
 * NOT_FOUND of the server, an update that was accepted by a run which then closed (FAILED_PRECONDITION and ABORTED are how the
 * server says so of update-with-start), or one of a crowd that the server gave back because a workflow task ended without it.
 * None of them was applied; should one have been, its own id tells.
 */
function worthAnotherTry(error: unknown): boolean {
  if (isGrpcServiceError(error)) return [5, 9, 10].includes(error.code);
  if (error instanceof Error && error.name === 'WorkflowNotFoundError') return true;
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  return cause instanceof ApplicationFailure && ['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'].includes(cause.type ?? '');
}
