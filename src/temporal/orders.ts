import { setTimeout } from 'node:timers/promises';
import { isGrpcServiceError, WithStartWorkflowOperation, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, TypedSearchAttributes, type UpdateDefinition } from '@temporalio/common';
import type { Environment } from '../domain/limits';
import type { OrderMessage, OrderState } from '../domain/order-status';
import { refusalIn } from '../../workflows/failures';
import {
  applyMilestone,
  cancelOrder,
  ORDER_REVISION,
  orderWorkflowId,
  reread,
  retryDelivery,
  type OrderInput,
} from '../../workflows/messages';
import { SEARCH_ATTRIBUTES } from '../../workflows/visibility';
import type { DeliveryInput } from '../../workflows/webhook-messages';
import type { order } from '../../workflows';
import { ANSWER_MS, START_MS, unlessStarted, type TemporalContext } from './options';

/** What names an order and its workflow: ids only. */
export interface OrderRef {
  orderId: string;
  orderNumber: string;
  accountId: string;
  environment: Environment;
}

/** A stored order with the facts that its workflow starts with. */
export interface NewOrder {
  ref: OrderRef;
  state: OrderState;
  requestId: string;
}

interface OrderUpdate<A> {
  definition: UpdateDefinition<{ orderId: string }, [A]>;
  argument: A;
  /** The same update sent again joins the first. */
  updateId?: string;
}

/** How often an update is sent again that reached a workflow just as it closed or continued as new. */
const UPDATE_ATTEMPTS = 8;

/** Order workflows. Throws ApiError for refusals, TemporalAway while Temporal does not answer; other errors are faults. */
export class OrderWorkflows {
  constructor(private readonly context: TemporalContext) {}

  /**
   * Starts the workflow of a stored order with its facts. Does nothing where one runs, or where a message has started one that has closed
   * since: facts that come late are out of date, and must not be taken for the present ones.
   */
  async start({ ref, state, requestId }: NewOrder): Promise<void> {
    if (await unlessStarted(this.started(ref, requestId, { state }, 'REJECT_DUPLICATE'))) return;
    const { client } = this.context;
    const run = client.workflow.getHandle(orderWorkflowId(ref.orderId));
    // A run from before a backup was restored knows nothing of this order. One that has closed reads it with its next message.
    await client.withDeadline(Date.now() + START_MS, () => run.signal(reread)).catch(() => undefined);
  }

  /** Starts a lost order's workflow, which reads its facts from the database; false when it was running after all. */
  resume(ref: OrderRef): Promise<boolean> {
    return unlessStarted(this.started(ref, 'sweep', {}, 'ALLOW_DUPLICATE'));
  }

  /** Applies a milestone, parcel or payment; resumes the workflow from the database where it is closed or lost. */
  async applyMilestone(ref: OrderRef, message: OrderMessage, requestId: string): Promise<void> {
    await this.update(ref, requestId, { definition: applyMilestone, argument: message });
  }

  async cancel(ref: OrderRef, requestId: string): Promise<void> {
    await this.update(ref, requestId, { definition: cancelOrder, argument: { requestId } });
  }

  /** Hands a delivery whose first attempt failed over to its order's workflow, which carries the retries; repeated it changes nothing. */
  async retryDelivery(ref: OrderRef, delivery: DeliveryInput): Promise<void> {
    await this.update(ref, 'relay', { definition: retryDelivery, argument: delivery });
  }

  /** Whether the order's workflow runs now, by Temporal's own state. */
  async isRunning(orderId: string): Promise<boolean> {
    const { client, breaker } = this.context;
    try {
      const { status } = await breaker.run(() =>
        client.withDeadline(Date.now() + ANSWER_MS, () => client.workflow.getHandle(orderWorkflowId(orderId)).describe()),
      );
      return status.name === 'RUNNING';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  private started(
    ref: OrderRef,
    requestId: string,
    facts: Pick<OrderInput, 'state'>,
    reuse: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE',
  ): Promise<unknown> {
    const { client, breaker } = this.context;
    return breaker.run(() =>
      client.withDeadline(Date.now() + START_MS, () =>
        client.workflow.start<typeof order>('order', {
          ...this.options(ref, requestId, facts),
          workflowIdReusePolicy: reuse,
          workflowIdConflictPolicy: 'FAIL',
        }),
      ),
    );
  }

  private options(ref: OrderRef, requestId: string, facts: Pick<OrderInput, 'state'> = {}) {
    const { quietPeriodMs, statusAttribute, webhooksTaskQueue, ordersTaskQueue } = this.context;
    const input: OrderInput = {
      orderId: ref.orderId,
      orderNumber: ref.orderNumber,
      accountId: ref.accountId,
      revision: ORDER_REVISION,
      quietPeriodMs,
      statusAttribute,
      webhooksTaskQueue,
      ...facts,
    };
    return {
      workflowId: orderWorkflowId(ref.orderId),
      taskQueue: ordersTaskQueue,
      args: [input] as [OrderInput],
      memo: { requestId, orderId: ref.orderId },
      staticSummary: `Order ${ref.orderNumber} (${ref.environment})`,
      typedSearchAttributes: new TypedSearchAttributes([
        { key: SEARCH_ATTRIBUTES.orderNumber, value: ref.orderNumber },
        ...(statusAttribute ? [{ key: SEARCH_ATTRIBUTES.orderStatus, value: 'received' }] : []),
        { key: SEARCH_ATTRIBUTES.tradeAccount, value: ref.accountId },
        { key: SEARCH_ATTRIBUTES.environment, value: ref.environment },
      ]),
    };
  }

  /** Tried again where the workflow closed just as the update reached it: the next start makes a new run. */
  private async update<A>(ref: OrderRef, requestId: string, update: OrderUpdate<A>): Promise<void> {
    const { client, breaker } = this.context;
    const deadline = Date.now() + ANSWER_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await breaker.run(() => client.withDeadline(deadline, () => this.updateWithStart(ref, requestId, update)));
        return;
      } catch (error) {
        const refusal = error instanceof WorkflowUpdateFailedError ? refusalIn(error.cause) : null;
        if (refusal !== null) throw refusal;
        if (attempt >= UPDATE_ATTEMPTS || !worthAnotherTry(error)) throw error;
        await setTimeout(attempt * 50);
      }
    }
  }

  private updateWithStart<A>(ref: OrderRef, requestId: string, update: OrderUpdate<A>) {
    return this.context.client.workflow.executeUpdateWithStart(update.definition, {
      args: [update.argument],
      ...(update.updateId === undefined ? {} : { updateId: update.updateId }),
      startWorkflowOperation: new WithStartWorkflowOperation<typeof order>('order', {
        ...this.options(ref, requestId),
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    });
  }
}

/**
 * NOT_FOUND of the server, an update that was accepted by a run which then closed (FAILED_PRECONDITION and ABORTED are how the
 * server says so of update-with-start), or one of a crowd that the server gave back because a workflow task ended without it.
 * None of these was applied. Should one have been after all, the repeat is recognised by its id.
 */
function worthAnotherTry(error: unknown): boolean {
  if (isGrpcServiceError(error)) return [5, 9, 10].includes(error.code);
  if (error instanceof Error && error.name === 'WorkflowNotFoundError') return true;
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  return cause instanceof ApplicationFailure && ['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'].includes(cause.type ?? '');
}
