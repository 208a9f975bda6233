import { openByCode } from '../src/db/repositories/attention';
import { attentionMail } from '../src/mail/open-attention';
import type { ActivityDeps } from './deps';
import { mailOnce } from './mail-once';

/** Of so many orders under one code the mail has the numbers, the oldest; the list has them all. */
const NUMBERS = 20;

/** Mails the studio what is open of live orders, once a day; nothing where nothing is open (ruling 58). @returns how much is open */
export async function mailAttention(deps: ActivityDeps): Promise<{ open: number }> {
  const open = await openByCode(deps.database, NUMBERS);
  if (open.length > 0) {
    const studioDay = await deps.pricingTerms.studioDay(deps.database, deps.clock.now());
    await mailOnce(deps, attentionMail(open, studioDay, deps.studioMail));
  }
  return { open: open.reduce((sum, { open: some }) => sum + some, 0) };
}
