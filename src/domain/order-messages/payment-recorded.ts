import { formatCents } from '../money';
import { openCents } from '../order-status';
import { cents, ID_PREFIXES, NEW_ID, optionalSingleLineText, RECORD_FIELDS, time, withExclusion } from './fields';
import { refusal, UNUSED_ID, type MessageKind, type RecordNotes } from './kind';

export interface NewPayment {
  paymentId: string;
  amountCents: number;
  receivedAt?: string | null;
  reference?: string | null;
}

export type PaymentRecorded = { type: 'payment_recorded' } & NewPayment & RecordNotes;

/** Prefix of payment ids that are shares of a payment on account. */
export const ACCOUNT_PAYMENT_PREFIX = 'account:';

const paymentId = withExclusion(
  NEW_ID,
  (value) => value.startsWith(ACCOUNT_PAYMENT_PREFIX),
  `must not begin with ${ACCOUNT_PAYMENT_PREFIX}: the prefix is reserved for payments on account`,
);
export const PAYMENT_FIELDS = { paymentId, amountCents: cents, receivedAt: time, reference: optionalSingleLineText(500) } as const;

export const paymentRecorded: MessageKind<PaymentRecorded> = {
  fields: { ...RECORD_FIELDS, ...PAYMENT_FIELDS },
  key: (message) => ID_PREFIXES.payment + message.paymentId,
  describe: (message) => `payment ${message.paymentId}`,
  limit: 'payments',
  isSignal: true,
  movesMoney: true,
  reversedReason: 'this payment was reversed; send a new payment id',
  example: () => ({ type: 'payment_recorded', paymentId: UNUSED_ID, amountCents: 1 }),
  decide(facts, { paymentId: id, amountCents }) {
    if (Object.hasOwn(facts.payments, id)) return refusal(`payment ${id} is already recorded; send a new payment id`);
    if (facts.reversedPayments.includes(id)) return refusal(`payment ${id} was reversed; send a new payment id`);
    if (facts.baseStatus === 'cancelled') return refusal('the order is cancelled and its invoice is void');
    if (facts.totalCents === 0) return refusal('nothing is charged for this order, so there is nothing to pay');
    const open = openCents(facts);
    if (amountCents > open)
      return refusal(`the payment is ${formatCents(amountCents)}, but only ${formatCents(open)} of the invoice is open`);
    return { facts: { ...facts, payments: { ...facts.payments, [id]: amountCents } } };
  },
};
