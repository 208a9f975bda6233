import { activityInfo } from '@temporalio/activity';
import { DAY_MS } from '../src/domain/duration';

/** How long a mail that cannot be handed over is tried, ms. */
const MAIL_PATIENCE_MS = 3 * DAY_MS;

/** True once this activity has been tried for days; by Temporal's clock alone, so that ours may be wrong. */
export function hasTriedForDays(): boolean {
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = activityInfo();
  return currentAttemptScheduledTimestampMs - scheduledTimestampMs >= MAIL_PATIENCE_MS;
}
