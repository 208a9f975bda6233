import { activityInfo } from '@temporalio/activity';
import { DAY_MS } from '../src/domain/duration';

/** How long a mail that cannot be handed over is tried, ms. */
const MAIL_TIMEOUT_MS = 3 * DAY_MS;

/** True once this activity has been tried for days. Only Temporal's clock is used, so a wrong clock of ours does no harm. */
export function hasMailTimedOut(): boolean {
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = activityInfo();
  return currentAttemptScheduledTimestampMs - scheduledTimestampMs >= MAIL_TIMEOUT_MS;
}
