import { ApiError } from './errors';
import { formatCents } from './money';

/**
 * Refuses an order that would take the account over its credit limit. Reaching it exactly passes; null means no limit, 0 no credit at all
 * (ruling 32). All in cents.
 * @throws ApiError CREDIT_LIMIT_EXCEEDED with outstandingCents, limitCents, availableCents, orderCents.
 */
export function assertWithinCredit(limitCents: number | null, outstandingCents: number, orderCents: number): void {
  if (limitCents === null || outstandingCents + orderCents <= limitCents) return;
  const availableCents = Math.max(0, limitCents - outstandingCents);
  throw new ApiError(
    'CREDIT_LIMIT_EXCEEDED',
    `the order comes to ${formatCents(orderCents)} and the account has ${formatCents(availableCents)} of its credit left; settle open invoices or ask the studio for a higher limit`,
    { outstandingCents, limitCents, availableCents, orderCents },
  );
}

const MAX_USED_BPS = 1_000_000;

/**
 * Hundredths of a per cent of the limit that what is outstanding comes to, rounded down; at most 1,000,000, null without a limit. Credit
 * takes nothing off, as an order is refused by what is outstanding alone (ruling 52). Of no limit at all any debt is all of it. Lists of
 * accounts work out the same in SQL (studio API "Endpoints").
 */
export function creditUsedBps(limitCents: number | null, outstandingCents: number): number | null {
  if (limitCents === null) return null;
  if (outstandingCents <= 0) return 0;
  return limitCents === 0 ? MAX_USED_BPS : Math.min(MAX_USED_BPS, Math.floor((outstandingCents * 10_000) / limitCents));
}
