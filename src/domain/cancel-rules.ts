import { ApiError } from './errors';
import { effectiveStatus, paidCents, type BaseStatus, type OrderFacts } from './order-status';

const OBSTACLE_TEXTS = {
  shipped: 'a parcel has been shipped (shipped)',
  printed: 'artwork has been printed (printed)',
  money: 'a payment has been recorded against it (money)',
} as const;
type CancelObstacle = keyof typeof OBSTACLE_TEXTS;
/** What stands against a cancel, or that it has happened. */
export type CancelBlocker = CancelObstacle | 'cancelled';
export const CANCEL_BLOCKERS: readonly CancelBlocker[] = [...(Object.keys(OBSTACLE_TEXTS) as CancelObstacle[]), 'cancelled'];

interface CancelFacts {
  baseStatus: BaseStatus;
  hasLiveParcel: boolean;
  isPrinted: boolean;
  isPaid: boolean;
}

export function toCancelFacts(facts: OrderFacts): CancelFacts {
  return {
    baseStatus: facts.baseStatus,
    hasLiveParcel: facts.liveParcels.length > 0,
    isPrinted: facts.printed,
    isPaid: paidCents(facts) > 0,
  };
}

/** Each reason why the account cannot cancel now, always in this order; empty when it can (ruling 61). */
export function cancelBlockers(facts: CancelFacts): CancelBlocker[] {
  return facts.baseStatus === 'cancelled' ? [...cancelObstacles(facts), 'cancelled'] : cancelObstacles(facts);
}

/** A repeated cancel answers with the order as it is. A cancelled order that a parcel left still counts as shipped (ruling 30). */
export function isCancelled(facts: OrderFacts): boolean {
  return effectiveStatus(facts) === 'cancelled';
}

/** Judges what the studio has done, never the status, which may lag behind the floor (specification "Order status", ruling 30). */
export function cancelObstacles({ hasLiveParcel, isPrinted, isPaid }: CancelFacts): CancelObstacle[] {
  const obstacles: CancelObstacle[] = [];
  if (hasLiveParcel) obstacles.push('shipped');
  if (isPrinted) obstacles.push('printed');
  if (isPaid) obstacles.push('money');
  return obstacles;
}

/** @throws ApiError ORDER_NOT_CANCELLABLE naming every obstacle. */
export function assertCancellable(facts: OrderFacts): void {
  const obstacles = cancelObstacles(toCancelFacts(facts));
  if (obstacles.length === 0) return;
  const reasons = obstacles.map((obstacle) => OBSTACLE_TEXTS[obstacle]).join('; ');
  throw new ApiError('ORDER_NOT_CANCELLABLE', `the order can no longer be cancelled: ${reasons}; contact the studio with the order number`);
}
