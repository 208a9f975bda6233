import { activityInfo } from '@temporalio/activity';
import { DAY_MS } from '../src/domain/duration';
import { MailDelayed, MailRefused } from '../src/mail';

/** A mail is retried for this long, ms. */
const MAIL_TIMEOUT_MS = 3 * DAY_MS;

/** True if this activity has been retried for three days. Compares Temporal's timestamps, because this machine's clock may be wrong. */
export function hasMailTimedOut(): boolean {
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = activityInfo();
  return currentAttemptScheduledTimestampMs - scheduledTimestampMs >= MAIL_TIMEOUT_MS;
}

/**
 * Describes for the studio why a mail was not sent.
 * @throws the error itself if a retry may succeed
 */
export function mailFailureReason(error: unknown, mail: string, hasTimedOut: boolean): string {
  if (error instanceof MailRefused) return `the mail server permanently refused ${mail}: ${error.reply}`;
  if (error instanceof MailDelayed && hasTimedOut) return `${mail} could not be sent for three days: ${error.message}`;
  throw error;
}
