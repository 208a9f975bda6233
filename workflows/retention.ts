import { deleteOldAttempts, eraseQuoteAddresses } from './activity-proxies';
import { settleSteps } from './steps';

/** Run by a Temporal Schedule: erases the addresses of expired quotes, and deletes old webhook attempts. */
export function retention(): Promise<Record<string, number | string | null>> {
  return settleSteps('RetentionFailed', [eraseQuoteAddresses(), deleteOldAttempts()]);
}
