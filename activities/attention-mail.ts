import { summarizeOpenAttention } from '../src/db/repositories/attention';
import { createAttentionMail } from '../src/mail/open-attention';
import type { ActivityDeps } from './deps';
import { sendMailOnce } from './mail-once';

/** The mail lists at most this many order numbers for each code, the oldest first. The console lists all of them. */
const MAX_ORDER_NUMBERS = 20;

/**
 * Sends the studio a daily mail about live orders that need attention, and about configured holidays that end soon.
 * @returns the number of open attention entries
 */
export async function sendAttentionMail(deps: ActivityDeps, abortSignal: AbortSignal): Promise<{ open: number }> {
  const open = await summarizeOpenAttention(deps.database, { environment: 'live' }, MAX_ORDER_NUMBERS);
  const now = deps.clock.now();
  const { until, endSoon } = await deps.calendar.holidays(deps.database, now);
  const holidaysUntil = endSoon ? until : null;
  if (open.length > 0 || holidaysUntil !== null) {
    const studioDay = await deps.calendar.studioDay(deps.database, now);
    const { studioMail: to, studioUrl } = deps;
    await sendMailOnce(deps, createAttentionMail({ summaries: open, holidaysUntil, studioDay, to, studioUrl }), abortSignal);
  }
  return { open: open.reduce((sum, { open: count }) => sum + count, 0) };
}
