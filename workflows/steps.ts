import { ApplicationFailure, isCancellation, rootCause, type ActivityFailure } from '@temporalio/workflow';

type StepResults = Record<string, number | string | null>;

/**
 * Waits for all activities of a scheduled run and returns their results together. A failed activity does not stop the others. The run then
 * fails with the name and reason of each failed activity, and with the results of the others as details.
 */
export async function settleSteps(failureType: string, steps: readonly Promise<object | void>[]): Promise<StepResults> {
  const outcomes = await Promise.allSettled(steps);
  const result: StepResults = Object.assign({}, ...outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : {})));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as ActivityFailure] : []));
  if (failures.length === 0) return result;
  const cancelled = failures.find(isCancellation);
  if (cancelled !== undefined) throw cancelled;
  const reasons = failures.map((failure) => `${failure.activityType}: ${rootCause(failure)}`);
  throw ApplicationFailure.nonRetryable(reasons.join('; '), failureType, result);
}
