import { effectiveStatus, paidCents, type BaseStatus, type OrderFacts } from './order-status';

const OBSTACLE_TEXTS = {
  shipped: 'a parcel has been shipped (shipped)',
  printed: 'artwork has been printed (printed)',
  money: 'a payment has been recorded against it (money)',
} as const;
type CancelObstacle = keyof typeof OBSTACLE_TEXTS;
/** An obstacle to a cancellation; `cancelled` means that the order is already cancelled. */
export type CancelBlocker = CancelObstacle | 'cancelled';
export const CANCEL_BLOCKERS: readonly CancelBlocker[] = [...(Object.keys(OBSTACLE_TEXTS) as CancelObstacle[]), 'cancelled'];

interface CancelFacts {
  baseStatus: BaseStatus;
  hasLiveParcel: boolean;
  /** At least one line is printed. */
  isPrinted: boolean;
  isPaid: boolean;
}

export function toCancelFacts(facts: OrderFacts): CancelFacts {
  return {
    baseStatus: facts.baseStatus,
    hasLiveParcel: facts.liveParcels.length > 0,
    isPrinted: facts.printedLines.length > 0,
    isPaid: paidCents(facts) > 0,
  };
}

/** Returns the reasons why the account cannot cancel the order now, in a fixed order; empty if it can. */
export function cancelBlockers(facts: CancelFacts): CancelBlocker[] {
  return facts.baseStatus === 'cancelled' ? [...cancelObstacles(facts), 'cancelled'] : cancelObstacles(facts);
}

/**
 * True if a cancellation would change nothing; a repeated one returns the order unchanged. A cancelled order with a shipped parcel counts
 * as shipped (ruling 30).
 */
export function isCancelled(facts: OrderFacts): boolean {
  return effectiveStatus(facts) === 'cancelled';
}

/**
 * Returns the obstacles to a cancellation. Checks the studio's actions instead of the status, which may lag behind production
 * (specification "Order status").
 */
export function cancelObstacles({ hasLiveParcel, isPrinted, isPaid }: CancelFacts): CancelObstacle[] {
  const obstacles: CancelObstacle[] = [];
  if (hasLiveParcel) obstacles.push('shipped');
  if (isPrinted) obstacles.push('printed');
  if (isPaid) obstacles.push('money');
  return obstacles;
}

/** Returns the reason why the account cannot cancel the order, with every obstacle; null if it can. */
export function cancelRefusal(facts: OrderFacts): string | null {
  const obstacles = cancelObstacles(toCancelFacts(facts));
  if (obstacles.length === 0) return null;
  const reasons = obstacles.map((obstacle) => OBSTACLE_TEXTS[obstacle]).join('; ');
  return `the order can no longer be cancelled: ${reasons}; contact the studio with the order number`;
}
