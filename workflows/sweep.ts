import { ApplicationFailure, isCancellation, rootCause, type ActivityFailure } from '@temporalio/workflow';
import {
  compareArtwork,
  forgetExpired,
  handOverDeliveries,
  assignEventPositions,
  mailFailingEndpoints,
  resumeLostOrders,
  sweepArtwork,
} from './activity-proxies';

type SweepResult = Record<string, number | string | null>;

/**
 * Run by a Temporal Schedule: resumes lost runs and deletes expired data. Returns the result of each step. A failed step does not stop the
 * others. Then the run fails with the name and reason of each failed step; its details are the results of the others.
 */
export async function sweep(): Promise<SweepResult> {
  const outcomes = await Promise.allSettled([
    handOverDeliveries(),
    resumeLostOrders(),
    mailFailingEndpoints(),
    forgetExpired(),
    assignEventPositions(),
    compareArtwork(),
    sweepArtwork(),
  ]);
  const result: SweepResult = Object.assign({}, ...outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : {})));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as ActivityFailure] : []));
  if (failures.length === 0) return result;
  const cancelled = failures.find(isCancellation);
  if (cancelled !== undefined) throw cancelled;
  const reasons = failures.map((failure) => `${failure.activityType}: ${rootCause(failure)}`);
  throw ApplicationFailure.nonRetryable(reasons.join('; '), 'SweepFailed', result);
}
