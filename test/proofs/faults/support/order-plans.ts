import type { OrderMessage } from '../../../../src/domain/order-messages';
import type { Random } from '../../../support/random';

/** One message to an order: its sender, its channel and its effect. */
export interface OrderStep {
  by: 'studio' | 'account' | 'signal';
  method: 'POST' | 'DELETE';
  /** Below `/orders/{id}/` of the studio API. */
  path: string;
  body?: object;
  /** The message for replaying the facts. */
  message: OrderMessage;
  afterMs?: number;
}

/** Longer than the quiet period of a run: the order's workflow has closed by then. */
export const AFTER_QUIET_MS = 4000;
/** ORDER_QUIET_PERIOD of a run. */
export const QUIET_PERIOD = '2s';

/** The messages of one order, each valid after the previous one. */
export function aPlan(orderId: string, totalCents: number, random: Random): OrderStep[] {
  const id = orderId.slice(-8);
  const half = Math.floor(totalCents / 2);
  return random.pick<() => OrderStep[]>([
    () => [],
    () => [cancelByAccount(id)],
    () => [sendMilestone(id, 1, 'held'), sendMilestone(id, 2, 'released'), sendMilestone(id, 3, 'cancelled')],
    () => [
      sendMilestone(id, 1, 'production_started'),
      milestoneBySignal(id, 2, 'printed'),
      recordPayment(id, half),
      addParcel(id),
      sendMilestone(id, 3, 'completed'),
    ],
    () => [sendMilestone(id, 1, 'production_started'), addParcel(`${id}-a`), voidParcel(`${id}-a`), addParcel(`${id}-b`)],
    () => [recordPayment(id, totalCents), reversePayment(id), cancelByAccount(id)],
    () => [sendMilestone(id, 1, 'production_started'), sendMilestone(id, 2, 'completed'), { ...addParcel(id), afterMs: AFTER_QUIET_MS }],
    () => [
      sendMilestone(id, 1, 'production_started'),
      sendMilestone(id, 2, 'printed', [0]),
      milestoneBySignal(id, 3, 'checked', [0]),
      sendMilestone(id, 4, 'ready'),
      sendMilestone(id, 5, 'completed'),
    ],
    () => [milestoneBySignal(id, 1, 'held'), sendMilestone(id, 2, 'released'), recordPayment(id, half)],
  ])();
}

type StepMilestoneType = 'production_started' | 'printed' | 'checked' | 'ready' | 'held' | 'released' | 'completed' | 'cancelled';

function sendMilestone(id: string, number: number, type: StepMilestoneType, lines?: number[]): OrderStep {
  const body = { milestoneId: `floor-${id}/${number}`, type, ...(lines && { lines }) };
  return { by: 'studio', method: 'POST', path: 'milestones', body, message: body };
}

function milestoneBySignal(id: string, number: number, type: StepMilestoneType, lines?: number[]): OrderStep {
  return { ...sendMilestone(id, number, type, lines), by: 'signal' };
}

function addParcel(id: string): OrderStep {
  const body = { parcelId: id, trackingNumber: `TN-${id}` };
  return { by: 'studio', method: 'POST', path: 'parcels', body, message: { ...body, milestoneId: `parcel:${id}`, type: 'parcel_added' } };
}

function voidParcel(id: string): OrderStep {
  return {
    by: 'studio',
    method: 'DELETE',
    path: `parcels/${id}`,
    message: { milestoneId: `parcel-void:${id}`, type: 'parcel_voided', parcelId: id },
  };
}

function recordPayment(id: string, amountCents: number): OrderStep {
  const body = { paymentId: id, amountCents };
  return {
    by: 'studio',
    method: 'POST',
    path: 'payments',
    body,
    message: { ...body, milestoneId: `payment:${id}`, type: 'payment_recorded' },
  };
}

function reversePayment(id: string): OrderStep {
  return {
    by: 'studio',
    method: 'POST',
    path: `payments/${id}/reverse`,
    body: { reason: 'bounced' },
    message: { milestoneId: `payment-reversal:${id}`, type: 'payment_reversed', paymentId: id, reason: 'bounced' },
  };
}

function cancelByAccount(id: string): OrderStep {
  return { by: 'account', method: 'POST', path: 'cancel', message: { milestoneId: `cancel:${id}`, type: 'cancelled' } };
}
