import { REVERSAL_FIELDS } from './credit-note-reversed';
import { ID_PREFIXES, RECORD_FIELDS, singleLineText } from './fields';
import { refusal, UNUSED_ID, type MessageKind, type RecordNotes } from './kind';
import { ACCOUNT_PAYMENT_PREFIX } from './payment-recorded';

export interface PaymentReversed extends RecordNotes {
  type: 'payment_reversed';
  paymentId: string;
  /** Absent in signals of floor systems that send none. The studio API requires it. */
  reason?: string;
}

/** Id of any existing payment, including shares of payments on account. */
export const EXISTING_PAYMENT_ID = singleLineText(100);

/** A payment is reversed only once, so the reversal needs no id. */
export const PAYMENT_REVERSAL_FIELDS = { reason: REVERSAL_FIELDS.reason } as const;

export const paymentReversed: MessageKind<PaymentReversed> = {
  fields: {
    ...RECORD_FIELDS,
    paymentId: EXISTING_PAYMENT_ID,
    reason: { ...REVERSAL_FIELDS.reason, optional: true, isOmittedIfAbsent: true },
  },
  key: ({ paymentId }) => ID_PREFIXES.paymentReversal + paymentId,
  describe: ({ paymentId }) => `payment ${paymentId} reversed`,
  limit: null,
  isSignal: true,
  movesMoney: true,
  /** The latest payment on the order itself. If there is none, a share of a payment on account. */
  example({ payments }) {
    const ids = Object.keys(payments);
    const paymentId = ids.findLast((id) => !id.startsWith(ACCOUNT_PAYMENT_PREFIX)) ?? ids.at(-1);
    if (paymentId === undefined) return refusal('there is no payment to reverse on this order');
    return { type: 'payment_reversed', paymentId, reason: UNUSED_ID };
  },
  decide(facts, { paymentId }) {
    if (facts.reversedPayments.includes(paymentId)) return { facts };
    if (paymentId.startsWith(ACCOUNT_PAYMENT_PREFIX))
      return refusal(
        `payment ${paymentId} is a share of a payment on account; ` +
          `reverse payment ${paymentId.slice(ACCOUNT_PAYMENT_PREFIX.length)} of the account, which reverses all its shares`,
      );
    if (!Object.hasOwn(facts.payments, paymentId)) return refusal(`there is no payment ${paymentId} to reverse on this order`);
    const { [paymentId]: _reversed, ...payments } = facts.payments;
    return { facts: { ...facts, payments, reversedPayments: [...facts.reversedPayments, paymentId] } };
  },
};
