import { WorkflowNotFoundError } from '@temporalio/common';
import type { TestService } from '../../../support/service';
import { deliveryWorkflowId } from '../../../../workflows/webhook-messages';

/** The end of each wait of a delivery's workflow, in ms: for capacity at the endpoint, or for the next attempt. */
export async function findTimerEnds(service: TestService, deliveryId: string): Promise<number[]> {
  try {
    const { events } = await service.deps.temporal.client.workflow.getHandle(deliveryWorkflowId(deliveryId)).fetchHistory();
    return (events ?? []).flatMap(({ eventTime, timerStartedEventAttributes: timer }) =>
      timer ? [toMilliseconds(eventTime) + toMilliseconds(timer.startToFireTimeout)] : [],
    );
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** The row is written a moment before its workflow starts. */
function isNotFound(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || (error instanceof Error && 'code' in error && error.code === 5);
}

/** A timestamp or duration of the server's. */
function toMilliseconds(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1000 + Math.ceil((time?.nanos ?? 0) / 1e6);
}
