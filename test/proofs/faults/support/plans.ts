import type { OrderMessage } from '../../../../src/domain/order-status';
import type { Random } from '../../../support/random';

/** One thing that happens to an order: who says it, how, and what it means. */
export interface Step {
  by: 'studio' | 'account' | 'signal';
  method: 'POST' | 'DELETE';
  /** Below `/orders/{id}/` of the studio API. */
  path: string;
  body?: object;
  /** What the facts are replayed with. */
  message: OrderMessage;
  afterMs?: number;
}

/** Longer than the quiet period of a run: the order's workflow has closed by then. */
export const LATE_MS = 4000;
/** ORDER_QUIET_PERIOD of a run. */
export const QUIET_PERIOD = '2s';

/** What one order goes through, each step possible after the one before. */
export function aPlan(orderId: string, totalCents: number, random: Random): Step[] {
  const id = orderId.slice(-8);
  const half = Math.floor(totalCents / 2);
  return random.pick<() => Step[]>([
    () => [],
    () => [accountCancels(id)],
    () => [milestone(id, 1, 'held'), milestone(id, 2, 'released'), milestone(id, 3, 'cancelled')],
    () => [
      milestone(id, 1, 'production_started'),
      signalled(id, 2, 'printed'),
      payment(id, half),
      parcel(id),
      milestone(id, 3, 'completed'),
    ],
    () => [milestone(id, 1, 'production_started'), parcel(`${id}-a`), voided(`${id}-a`), parcel(`${id}-b`)],
    () => [payment(id, totalCents), reversed(id), accountCancels(id)],
    () => [milestone(id, 1, 'production_started'), milestone(id, 2, 'completed'), { ...parcel(id), afterMs: LATE_MS }],
    () => [signalled(id, 1, 'held'), milestone(id, 2, 'released'), payment(id, half)],
  ])();
}

type Moved = 'production_started' | 'printed' | 'held' | 'released' | 'completed' | 'cancelled';

function milestone(id: string, number: number, type: Moved): Step {
  const body = { milestoneId: `floor-${id}/${number}`, type };
  return { by: 'studio', method: 'POST', path: 'milestones', body, message: body };
}

function signalled(id: string, number: number, type: Moved): Step {
  return { ...milestone(id, number, type), by: 'signal' };
}

function parcel(id: string): Step {
  const body = { parcelId: id, trackingNumber: `TN-${id}` };
  return { by: 'studio', method: 'POST', path: 'parcels', body, message: { ...body, milestoneId: `parcel:${id}`, type: 'parcel_added' } };
}

function voided(id: string): Step {
  return {
    by: 'studio',
    method: 'DELETE',
    path: `parcels/${id}`,
    message: { milestoneId: `parcel-void:${id}`, type: 'parcel_voided', parcelId: id },
  };
}

function payment(id: string, amountCents: number): Step {
  const body = { paymentId: id, amountCents };
  return {
    by: 'studio',
    method: 'POST',
    path: 'payments',
    body,
    message: { ...body, milestoneId: `payment:${id}`, type: 'payment_recorded' },
  };
}

function reversed(id: string): Step {
  return {
    by: 'studio',
    method: 'DELETE',
    path: `payments/${id}`,
    message: { milestoneId: `payment-reversal:${id}`, type: 'payment_reversed', paymentId: id },
  };
}

function accountCancels(id: string): Step {
  return { by: 'account', method: 'POST', path: 'cancel', message: { milestoneId: `cancel:${id}`, type: 'cancelled' } };
}
