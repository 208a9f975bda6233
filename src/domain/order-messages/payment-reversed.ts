import { ID_PREFIXES, RECORD_FIELDS, singleLineText } from './fields';
import { refusal, type MessageKind, type RecordNotes } from './kind';
import { ACCOUNT_PAYMENT_PREFIX } from './payment-recorded';

export interface PaymentReversed extends RecordNotes {
  type: 'payment_reversed';
  paymentId: string;
}

/** Id of any existing payment, including shares of payments on account. */
export const EXISTING_PAYMENT_ID = singleLineText(100);

export const paymentReversed: MessageKind<PaymentReversed> = {
  fields: { ...RECORD_FIELDS, paymentId: EXISTING_PAYMENT_ID },
  key: ({ paymentId }) => ID_PREFIXES.paymentReversal + paymentId,
  describe: ({ paymentId }) => `payment ${paymentId} reversed`,
  limit: null,
  isSignal: true,
  movesMoney: true,
  /** The latest payment on the order itself. If there is none, a share of a payment on account. */
  example({ payments }) {
    const ids = Object.keys(payments);
    const paymentId = ids.findLast((id) => !id.startsWith(ACCOUNT_PAYMENT_PREFIX)) ?? ids.at(-1);
    return paymentId === undefined ? refusal('there is no payment to reverse on this order') : { type: 'payment_reversed', paymentId };
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
