import type { ActivityExecuteInput, ActivityInterceptors, WorkerOptions } from '@temporalio/worker';
import type { Sql } from '../db/database';
import { findTraceOfOrder } from '../db/repositories/order-events';
import { continueOrLink, inSpan, isTracing, type SpanOptions } from '../telemetry/tracing';

type ActivityInterceptorsFactory = NonNullable<NonNullable<WorkerOptions['interceptors']>['activity']>[number];

/**
 * Runs each activity in a span. It continues the trace of the message that it applies, or of the order while that is new. Workflows have no
 * interceptor, so the activity's input and the order's first event carry the context.
 */
export function traceActivities(database: Sql): ActivityInterceptorsFactory {
  return ({ info }): ActivityInterceptors => ({
    inbound: {
      async execute(input, next) {
        if (!isTracing()) return next(input);
        const { workflowId = '' } = info.workflowExecution ?? {};
        const attributes = {
          'temporal.workflow_id': workflowId,
          'temporal.activity_type': info.activityType,
          'temporal.attempt': info.attempt,
        };
        const origin = await findOrigin(database, workflowId, input);
        return inSpan(`RunActivity:${info.activityType}`, { attributes, ...origin }, () => next(input));
      },
    },
  });
}

async function findOrigin(
  database: Sql,
  workflowId: string,
  { args }: ActivityExecuteInput,
): Promise<Pick<SpanOptions, 'parent' | 'links'>> {
  const [input] = args as [{ traceparent?: string } | undefined];
  if (input?.traceparent !== undefined) return { parent: input.traceparent };
  const orderId = /^order\/(ord_\w+)$/.exec(workflowId)?.[1];
  if (orderId === undefined) return { parent: null };
  const trace = await findTraceOfOrder(database, orderId).catch(() => null); // the activity reports the error
  return trace === null ? { parent: null } : continueOrLink(trace.trace_context, trace.created_at, Date.now());
}
