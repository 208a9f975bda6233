import { summarizeOpenAttention } from '../src/db/repositories/attention';
import { createAttentionMail } from '../src/mail/open-attention';
import type { ActivityDeps } from './deps';
import { sendMailOnce } from './mail-once';

/** Of so many orders under one code the mail has the numbers, the oldest; the list has them all. */
const MAX_ORDER_NUMBERS = 20;

/** Mails the studio once a day what is open on live orders, and that the known holidays end soon (ruling 58). @returns how much is open */
export async function mailAttention(deps: ActivityDeps, stop: AbortSignal): Promise<{ open: number }> {
  const open = await summarizeOpenAttention(deps.database, MAX_ORDER_NUMBERS);
  const now = deps.clock.now();
  const { until, endSoon } = await deps.pricingTerms.holidays(deps.database, now);
  const holidaysUntil = endSoon ? until : null;
  if (open.length > 0 || holidaysUntil !== null) {
    const studioDay = await deps.pricingTerms.studioDay(deps.database, now);
    await sendMailOnce(deps, createAttentionMail({ open, holidaysUntil, studioDay, to: deps.studioMail }), stop);
  }
  return { open: open.reduce((sum, { open: count }) => sum + count, 0) };
}
