import { setTimeout } from 'node:timers/promises';
import {
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { ApplicationFailure, TypedSearchAttributes, type UpdateDefinition } from '@temporalio/common';
import type { OrderMessage } from '../domain/order-message-types';
import type { OrderState } from '../domain/order-status';
import { newId } from '../security/ids';
import { refusalFrom } from '../../workflows/failures';
import {
  applyMessage,
  cancelOrder,
  orderWorkflowId,
  reload,
  retryDelivery,
  type OrderInput,
  type OrderSettings,
} from '../../workflows/messages';
import { orderSearchAttributes } from '../../workflows/visibility';
import type { DeliveryInput } from '../../workflows/webhook-messages';
import type { order } from '../../workflows/order';
import { RESPONSE_TIMEOUT_MS, START_TIMEOUT_MS, startUnlessExists, type TemporalContext } from './options';

/** A stored order with the facts that its workflow starts with. */
export interface NewOrder {
  orderId: string;
  state: OrderState;
  requestId: string;
}

type OrderUpdate<A> = UpdateDefinition<{ orderId: string }, [A]>;

/** How often an update is sent again that reached a workflow just as it closed or continued as new. */
const UPDATE_ATTEMPTS = 8;

/** Order workflows. Throws ApiError for refusals, TemporalAway while Temporal does not answer; other errors are faults. */
export class OrderWorkflows {
  constructor(private readonly context: TemporalContext) {}

  /** How the service is set; the workflow of an order asks for it where nobody sent it. */
  get settings(): OrderSettings {
    return this.context.settings;
  }

  /**
   * Starts the workflow of a stored order with its facts. Does nothing where one runs, or where a message has started one that has closed
   * since: facts that come late are out of date, and must not be taken for the present ones.
   */
  async start({ orderId, state, requestId }: NewOrder): Promise<void> {
    const { client, settings } = this.context;
    const isNew = await this.startWorkflow({
      ...this.options({ orderId, state, settings }, requestId),
      staticSummary: `Order ${state.orderNumber} (${state.environment})`,
      typedSearchAttributes: new TypedSearchAttributes(orderSearchAttributes(state)),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
    if (isNew) return;
    const run = client.workflow.getHandle(orderWorkflowId(orderId));
    // A run from before a backup was restored knows nothing of this order. One that has closed reads it with its next message.
    await client.withDeadline(Date.now() + START_TIMEOUT_MS, () => run.signal(reload)).catch(() => undefined);
  }

  /** Starts a lost order's workflow, which loads its facts from the database; false when it was running after all. */
  resume(orderId: string): Promise<boolean> {
    return this.startWorkflow({ ...this.options({ orderId }, 'sweep'), workflowIdReusePolicy: 'ALLOW_DUPLICATE' });
  }

  /** Applies a milestone, parcel or payment; resumes the workflow from the database where it is closed or lost. */
  async applyMessage(orderId: string, message: OrderMessage, requestId: string): Promise<void> {
    await this.update(applyMessage, orderId, requestId, message);
  }

  async cancel(orderId: string, requestId: string): Promise<void> {
    await this.update(cancelOrder, orderId, requestId, { requestId });
  }

  /** Hands a delivery whose first attempt failed over to its order's workflow, which carries the retries; repeated it changes nothing. */
  async retryDelivery(orderId: string, delivery: DeliveryInput): Promise<void> {
    await this.update(retryDelivery, orderId, 'relay', delivery);
  }

  /** Whether the order's workflow runs now, by Temporal's own state. */
  async isRunning(orderId: string): Promise<boolean> {
    const { client, breaker } = this.context;
    try {
      const { status } = await breaker.run(() =>
        client.withDeadline(Date.now() + RESPONSE_TIMEOUT_MS, () => client.workflow.getHandle(orderWorkflowId(orderId)).describe()),
      );
      return status.name === 'RUNNING';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  private startWorkflow(options: WorkflowStartOptions<typeof order>): Promise<boolean> {
    return startUnlessExists<typeof order>(this.context, 'order', { ...options, workflowIdConflictPolicy: 'FAIL' });
  }

  private options(input: OrderInput, requestId: string) {
    const { orderId } = input;
    return {
      workflowId: orderWorkflowId(orderId),
      taskQueue: this.context.ordersTaskQueue,
      args: [input] as [OrderInput],
      memo: { requestId, orderId },
    };
  }

  /**
   * Tried again where the workflow closed just as the update reached it: the next start makes a new run. Temporal answers an update id from
   * its memory. So each call has an id of its own: its repeats are one update, and a refused message that is sent again is judged anew.
   */
  private async update<A>(definition: OrderUpdate<A>, orderId: string, requestId: string, argument: A): Promise<void> {
    const { client, breaker } = this.context;
    const deadline = Date.now() + RESPONSE_TIMEOUT_MS;
    const updateId = newId('upd');
    for (let attempt = 1; ; attempt += 1) {
      const startWorkflowOperation = new WithStartWorkflowOperation<typeof order>('order', {
        ...this.options({ orderId }, requestId),
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      try {
        await breaker.run(() =>
          client.withDeadline(deadline, () =>
            client.workflow.executeUpdateWithStart(definition, { args: [argument], updateId, startWorkflowOperation }),
          ),
        );
        return;
      } catch (error) {
        const refusal = error instanceof WorkflowUpdateFailedError ? refusalFrom(error.cause) : null;
        if (refusal !== null) throw refusal;
        if (attempt >= UPDATE_ATTEMPTS || !isRetryable(error)) throw error;
        await setTimeout(attempt * 50);
      }
    }
  }
}

/**
 * NOT_FOUND of the server, an update that was accepted by a run which then closed (FAILED_PRECONDITION and ABORTED are how the
 * server says so of update-with-start), or one of a crowd that the server gave back because a workflow task ended without it.
 * None of these was applied. Should one have been after all, the repeat is recognised by its id.
 * The server does not retry by itself: https://github.com/temporalio/temporal/pull/7921
 */
function isRetryable(error: unknown): boolean {
  if (isGrpcServiceError(error)) return [5, 9, 10].includes(error.code);
  if (error instanceof Error && error.name === 'WorkflowNotFoundError') return true;
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  return cause instanceof ApplicationFailure && ['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'].includes(cause.type ?? '');
}
