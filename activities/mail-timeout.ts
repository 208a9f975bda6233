import { activityInfo } from '@temporalio/activity';
import { DAY_MS } from '../src/domain/duration';

/** A mail is retried for this long, ms. */
const MAIL_TIMEOUT_MS = 3 * DAY_MS;

/** True if this activity has been retried for three days. Compares Temporal's timestamps, because this machine's clock may be wrong. */
export function hasMailTimedOut(): boolean {
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = activityInfo();
  return currentAttemptScheduledTimestampMs - scheduledTimestampMs >= MAIL_TIMEOUT_MS;
}
