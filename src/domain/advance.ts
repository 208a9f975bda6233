import { assertNever } from './errors';
import type { MilestoneType, OrderMessage } from './order-messages';
import { ID_PREFIXES } from './order-messages/fields';
import type { NewParcel } from './order-messages/parcel-added';
import type { NewPayment } from './order-messages/payment-recorded';
import { effectiveStatus, openCents, type OrderFacts, type OrderState, type OrderStatus } from './order-status';

/** A client's request to advance a test order or its remake. */
export type Advance =
  | { to: OrderStatus }
  | { printed: true }
  | { parcel: Partial<NewParcel> }
  | { voidParcel: string }
  | { payment: Partial<NewPayment> }
  | { reversePayment: string };

/** The messages that reach the requested status, in order; empty if the order has it already. */
type AdvancePlan = { messages: OrderMessage[] } | { refused: string };

type Steps = { steps: (MilestoneType | 'parcel')[] } | { refused: string };

/**
 * Plans the messages that advance a test order. Their ids derive from the stored version, so two equal concurrent requests send the same
 * messages, and each is applied once.
 */
export function planAdvance({ facts, version, orderNumber }: OrderState, advance: Advance): AdvancePlan {
  if ('printed' in advance)
    return { messages: facts.printed ? [] : [{ type: 'printed', milestoneId: `${ID_PREFIXES.advance}${version}:printed` }] };
  if ('payment' in advance) return planPayment(facts, advance.payment);
  if ('reversePayment' in advance) return planReversal(facts, advance.reversePayment);
  if ('parcel' in advance) return { messages: [testParcel(advance.parcel, orderNumber, facts)] };
  if ('voidParcel' in advance) return planVoiding(facts, advance.voidParcel);
  const path = stepsTo(facts, advance.to);
  if ('refused' in path) return path;
  return {
    messages: path.steps.map((type) =>
      type === 'parcel' ? testParcel({}, orderNumber, facts) : { type, milestoneId: `${ID_PREFIXES.advance}${version}:${type}` },
    ),
  };
}

/** Fills in a parcel's missing fields. Without an id and a tracking number, each request adds a new parcel. */
function testParcel(parcel: Partial<NewParcel>, orderNumber: string, facts: OrderFacts): OrderMessage {
  const trackingNumber =
    parcel.trackingNumber ??
    (parcel.parcelId === undefined
      ? nextUnusedId(`TEST-${orderNumber}`, [...facts.liveParcels, ...facts.voidedParcels])
      : `TEST-${parcel.parcelId}`);
  return {
    type: 'parcel_added',
    parcelId: parcel.parcelId ?? trackingNumber,
    trackingNumber,
    carrier: parcel.carrier ?? 'Test carrier',
    trackingUrl: parcel.trackingUrl ?? null,
    shippedAt: parcel.shippedAt ?? null,
    lines: parcel.lines ?? null,
  };
}

/** A test id that is not in use. */
export function nextUnusedId(prefix: string, usedIds: readonly string[]): string {
  let number = usedIds.length + 1;
  while (usedIds.includes(`${prefix}-${number}`)) number += 1;
  return `${prefix}-${number}`;
}

function planVoiding({ liveParcels, voidedParcels }: OrderFacts, parcelId: string): AdvancePlan {
  if (voidedParcels.includes(parcelId)) return { messages: [] };
  if (liveParcels.includes(parcelId)) return { messages: [{ type: 'parcel_voided', parcelId }] };
  const existing = liveParcels.length === 0 ? 'it has none' : `it has ${liveParcels.join(', ')}`;
  return { refused: `there is no parcel ${parcelId} on this order; ${existing}` };
}

/** Without an amount, the payment covers the open amount. */
function planPayment(facts: OrderFacts, payment: Partial<NewPayment>): AdvancePlan {
  const amountCents = payment.amountCents ?? openCents(facts);
  if (amountCents === 0) return { refused: 'the invoice of this order has no open amount' };
  const paymentId = payment.paymentId ?? nextUnusedId('TEST', [...Object.keys(facts.payments), ...facts.reversedPayments]);
  const { receivedAt = null, reference = null } = payment;
  return { messages: [{ type: 'payment_recorded', paymentId, amountCents, receivedAt, reference }] };
}

function planReversal({ payments, reversedPayments }: OrderFacts, paymentId: string): AdvancePlan {
  if (reversedPayments.includes(paymentId)) return { messages: [] };
  if (Object.hasOwn(payments, paymentId)) return { messages: [{ type: 'payment_reversed', paymentId, reason: 'test' }] };
  const paymentIds = Object.keys(payments);
  return { refused: `there is no payment ${paymentId} on this order; it has ${paymentIds.length === 0 ? 'none' : paymentIds.join(', ')}` };
}

/** Returns the steps to a status. test/unit/domain/advance.test.ts checks them against the rules of every message. */
function stepsTo(facts: OrderFacts, to: OrderStatus): Steps {
  const { baseStatus, heldFrom, liveParcels } = facts;
  if (effectiveStatus(facts) === to) return { steps: [] };
  if (liveParcels.length > 0)
    return { refused: `the order stays shipped while it has parcels; first void them with voidParcel: ${liveParcels.join(', ')}` };
  if (baseStatus === 'cancelled') return { refused: 'the order is cancelled' };
  const release: MilestoneType[] = baseStatus === 'on_hold' ? ['released'] : [];
  const start: MilestoneType[] = baseStatus === 'received' || heldFrom === 'received' ? ['production_started'] : [];
  switch (to) {
    case 'received':
      return heldFrom === 'received'
        ? { steps: ['released'] }
        : { refused: `the order is ${describeBaseStatus(facts)}; it cannot return to received` };
    case 'in_production':
      return baseStatus === 'completed' ? { refused: 'the order is completed' } : { steps: [...release, ...start] };
    case 'on_hold':
      return baseStatus === 'completed'
        ? { refused: 'the order is completed; only a received order or one in production can be held' }
        : { steps: ['held'] };
    case 'completed':
      return { steps: [...release, ...start, 'completed'] };
    case 'shipped':
      return { steps: [...release, ...start, 'parcel'] };
    case 'cancelled':
      return { steps: ['cancelled'] };
    default:
      return assertNever(to);
  }
}

const describeBaseStatus = ({ baseStatus, heldFrom }: OrderFacts): string =>
  baseStatus === 'on_hold' ? `on hold from ${heldFrom ?? 'received'}` : baseStatus;
