import { setTimeout } from 'node:timers/promises';
import { isGrpcServiceError, WithStartWorkflowOperation, WorkflowUpdateFailedError, type WorkflowStartOptions } from '@temporalio/client';
import { ApplicationFailure, TypedSearchAttributes, type UpdateDefinition } from '@temporalio/common';
import type { OrderState } from '../domain/order-status';
import { newId } from '../security/ids';
import { activeTraceparent, inChildSpan, SpanKind } from '../telemetry/tracing';
import { refusalFrom } from '../../workflows/failures';
import { applyMessage, orderWorkflowId, reload, retryDelivery, type OrderInput, type OrderSettings } from '../../workflows/messages';
import { orderMemo, orderSearchAttributes } from '../../workflows/visibility';
import type { DeliveryInput } from '../../workflows/webhook-messages';
import type { order } from '../../workflows/order';
import { TemporalUnavailable } from './breaker';
import { startUnlessExists, type TemporalContext } from './options';

/** A stored order with the initial facts of its workflow. */
export interface NewOrder {
  orderId: string;
  state: OrderState;
  requestId: string;
}

type OrderUpdate<A extends object, R> = UpdateDefinition<R, [A]>;

/** How often an update is sent if its workflow is just closing or continuing as new. */
const UPDATE_ATTEMPTS = 8;

/** Order workflows. Throws ApiError for refusals and TemporalUnavailable while Temporal does not answer. */
export class OrderWorkflows {
  constructor(private readonly context: TemporalContext) {}

  /** The service's settings for an order's workflow. */
  get settings(): OrderSettings {
    return this.context.settings;
  }

  /**
   * Starts the workflow of a stored order with its facts. Does nothing if a run exists, even a closed one: a message may have started and
   * settled it meanwhile, and then these facts are outdated.
   */
  async start({ orderId, state, requestId }: NewOrder): Promise<void> {
    const { client, settings, timeouts } = this.context;
    const isNew = await this.startWorkflow({
      ...this.options({ orderId, state, settings }, requestId),
      staticSummary: `Order ${state.orderNumber} (${state.environment})`,
      typedSearchAttributes: new TypedSearchAttributes(orderSearchAttributes(state)),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
    if (isNew) return;
    const run = client.workflow.getHandle(orderWorkflowId(orderId));
    // A running workflow may be older than a restored backup, so it reloads the order. After a closed run, the next run loads the order.
    await client.withDeadline(Date.now() + timeouts.startMs, () => run.signal(reload)).catch(() => undefined);
  }

  /** Starts a lost order's workflow, which loads its facts from the database. @returns false if it was running */
  resume(orderId: string): Promise<boolean> {
    return this.startWorkflow({ ...this.options({ orderId }, 'sweep'), workflowIdReusePolicy: 'ALLOW_DUPLICATE' });
  }

  /** Applies a stored message. Resumes a closed or lost workflow from the database. Returns whether the order changed. */
  async applyMessage(orderId: string, messageId: string, requestId: string): Promise<boolean> {
    return (await this.update(applyMessage, orderId, requestId, { messageId })).changed;
  }

  /** Hands a delivery whose first attempt failed over to its order's workflow, which makes the retries. Idempotent. */
  async retryDelivery(orderId: string, delivery: DeliveryInput): Promise<void> {
    await this.update(retryDelivery, orderId, 'relay', delivery);
  }

  private startWorkflow(options: WorkflowStartOptions<typeof order>): Promise<boolean> {
    return inChildSpan('StartWorkflow:order', { kind: SpanKind.CLIENT }, () =>
      startUnlessExists<typeof order>(this.context, 'order', { ...options, workflowIdConflictPolicy: 'FAIL' }),
    );
  }

  private options(input: OrderInput, requestId: string) {
    const { orderId } = input;
    return {
      workflowId: orderWorkflowId(orderId),
      taskQueue: this.context.ordersTaskQueue,
      args: [input] as [OrderInput],
      memo: { requestId, orderId, ...(input.state && orderMemo(input.state)) },
    };
  }

  /** The argument carries the trace to the activity that applies the message. */
  private update<A extends object, R>(definition: OrderUpdate<A, R>, orderId: string, requestId: string, argument: A): Promise<R> {
    return inChildSpan(`UpdateWorkflow:${definition.name}`, { kind: SpanKind.CLIENT }, () => {
      const traceparent = activeTraceparent();
      return this.repeatUpdate(definition, orderId, requestId, traceparent === null ? argument : { ...argument, traceparent });
    });
  }

  /**
   * Sends an update and starts the workflow if it is not running. Repeats the update if its workflow was just closing. Temporal answers a
   * known update id from memory, so each call has a new id. The repeats of a call are one update, but a refused message that is sent again
   * is decided again.
   */
  private async repeatUpdate<A extends object, R>(
    definition: OrderUpdate<A, R>,
    orderId: string,
    requestId: string,
    argument: A,
  ): Promise<R> {
    const { client, breaker, timeouts } = this.context;
    const deadline = Date.now() + timeouts.responseMs;
    const updateId = newId('upd');
    for (let attempt = 1; ; attempt += 1) {
      const startWorkflowOperation = new WithStartWorkflowOperation<typeof order>('order', {
        ...this.options({ orderId }, requestId),
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      try {
        return await breaker.run(() =>
          client.withDeadline(deadline, () =>
            client.workflow.executeUpdateWithStart(definition, { args: [argument], updateId, startWorkflowOperation }),
          ),
        );
      } catch (error) {
        const refusal = error instanceof WorkflowUpdateFailedError ? refusalFrom(error.cause) : null;
        if (refusal !== null) throw refusal;
        if (!isRetryable(error)) throw error;
        // Such as a frozen worker, whose workflow tasks fail.
        if (attempt >= UPDATE_ATTEMPTS) throw new TemporalUnavailable();
        await setTimeout(attempt * 50);
      }
    }
  }
}

/**
 * True for errors after which an update is repeated: NOT_FOUND; a run that accepted the update and then closed (FAILED_PRECONDITION or
 * ABORTED with update-with-start); or an update that the server returned because a workflow task ended without it. Usually the update was
 * not applied. If it was, the workflow recognizes the repeat by the message's id. The server does not retry:
 * https://github.com/temporalio/temporal/pull/7921
 */
function isRetryable(error: unknown): boolean {
  if (isGrpcServiceError(error)) return [5, 9, 10].includes(error.code);
  if (error instanceof Error && error.name === 'WorkflowNotFoundError') return true;
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : null;
  return cause instanceof ApplicationFailure && ['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'].includes(cause.type ?? '');
}
