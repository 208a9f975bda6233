import { MINUTE_MS } from './duration';

/** How far the clock of a caller or a carrier may be ahead of the service's. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS;

/** Why a parcel cannot be delivered at this time; null if it can. */
export function deliveryIssue({ shippedAt, deliveredAt, now }: { shippedAt: Date | null; deliveredAt: Date; now: Date }): string | null {
  if (shippedAt !== null && deliveredAt < shippedAt)
    return `must not be before the parcel was shipped, which was at ${shippedAt.toISOString()}`;
  return deliveredAt.getTime() > now.getTime() + CLOCK_DIFFERENCE_MS ? 'must not be in the future' : null;
}
