/** The workflows that Temporal Schedules run. */
import { ApplicationFailure, isCancellation, rootCause, type ActivityFailure } from '@temporalio/workflow';
import {
  assignEventPositions,
  compareArtwork,
  createReminders,
  deleteOldAttempts,
  eraseQuoteAddresses,
  forgetExpired,
  handOverDeliveries,
  mailAboutOrders,
  mailFailingEndpoints,
  resumeLostOrders,
  resumeSends,
  sendAttentionMail,
  sweepArtwork,
} from './activity-proxies';

type StepResults = Record<string, number | string | null>;

/** Every morning: mails the studio the orders that need attention. */
export const attention = (): Promise<{ open: number }> => sendAttentionMail();

/** Every morning: makes the reminders of overdue invoices. */
export const reminders = (): Promise<{ reminders: number }> => createReminders();

/** Erases the addresses of expired quotes, and deletes old webhook attempts. */
export function retention(): Promise<StepResults> {
  return settleSteps('RetentionFailed', [eraseQuoteAddresses(), deleteOldAttempts()]);
}

/** Resumes lost workflows and deletes expired data. Returns the results of all steps together. */
export function sweep(): Promise<StepResults> {
  return settleSteps('SweepFailed', [
    handOverDeliveries(),
    resumeLostOrders(),
    mailFailingEndpoints(),
    mailAboutOrders(),
    forgetExpired(),
    assignEventPositions(),
    compareArtwork(),
    sweepArtwork(),
    resumeSends(),
  ]);
}

/**
 * Waits for all activities of a scheduled run and returns their results together. A failed activity does not stop the others. The run then
 * fails with the name and reason of each failed activity, and with the results of the others as details.
 */
async function settleSteps(failureType: string, steps: readonly Promise<object | void>[]): Promise<StepResults> {
  const outcomes = await Promise.allSettled(steps);
  const result: StepResults = Object.assign({}, ...outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : {})));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as ActivityFailure] : []));
  if (failures.length === 0) return result;
  const cancelled = failures.find(isCancellation);
  if (cancelled !== undefined) throw cancelled;
  const reasons = failures.map((failure) => `${failure.activityType}: ${rootCause(failure)}`);
  throw ApplicationFailure.nonRetryable(reasons.join('; '), failureType, result);
}
