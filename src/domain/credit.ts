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
