import { ApiError } from './errors';
import type { LedgerEffect } from './ledger';
import { formatCents } from './money';

/**
 * Returns the amount for which an account may still order, in cents; null means no limit. Credit adds to the limit, so that an account
 * without a limit above 0 can pay in advance.
 */
export const availableCents = (limitCents: number | null, { outstandingCents, creditCents }: LedgerEffect): number | null =>
  limitCents === null ? null : Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, limitCents - outstandingCents + creditCents));

/**
 * Refuses an order if outstanding − credit + order is above the limit. Exactly the limit is allowed. All amounts are in cents.
 * @throws ApiError CREDIT_LIMIT_EXCEEDED with outstandingCents, creditCents, limitCents, availableCents, orderCents
 */
export function assertWithinCredit(limitCents: number | null, sums: LedgerEffect, orderCents: number): void {
  if (limitCents === null || sums.outstandingCents - sums.creditCents + orderCents <= limitCents) return;
  const available = availableCents(limitCents, sums) ?? 0;
  const { outstandingCents, creditCents } = sums;
  throw new ApiError(
    'CREDIT_LIMIT_EXCEEDED',
    `the order costs ${formatCents(orderCents)}, but the account's available credit is ${formatCents(available)}; pay open invoices, pay in advance, or ask the studio for a higher limit`,
    { outstandingCents, creditCents, limitCents, availableCents: available, orderCents },
  );
}

const MAX_USED_BPS = 1_000_000;

/**
 * Returns the share of the limit that outstanding − credit uses, in hundredths of a per cent. It is rounded down and at most 1,000,000;
 * null without a limit. With a limit of 0, any debt is the maximum. Lists of accounts calculate the same in SQL.
 */
export function creditUsedBps(limitCents: number | null, { outstandingCents, creditCents }: LedgerEffect): number | null {
  if (limitCents === null) return null;
  const usedCents = outstandingCents - creditCents;
  if (usedCents <= 0) return 0;
  return limitCents === 0 ? MAX_USED_BPS : Math.min(MAX_USED_BPS, Math.floor((usedCents * 10_000) / limitCents));
}
