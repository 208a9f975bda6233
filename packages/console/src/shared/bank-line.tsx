import { Refusal } from '../api/refusal';
import { ask, studio } from '../api/studio';
import type { Environment, Of } from '../api/types';
import { useSession } from '../session/session';
import { Doubt, useDoubt } from './doubt';
import { localOf } from './zoned';

interface BankLine {
  accountId: string;
  environment: Environment;
  /** The studio's day on which it was received, `2026-11-22`. */
  day: string;
  amountCents: number;
  reference: string;
}

/** A line of the bank that is recorded already as another payment (ruling 70). `line` is null while it is incomplete. */
export function useRepeatedLine(line: BankLine | null) {
  const { timeZone } = useSession();
  return useDoubt({
    noun: 'statement',
    about: line === null ? null : JSON.stringify(line),
    find: async () => (line === null ? [] : placesOf(line, timeZone)),
  });
}

export function RepeatedLine({ doubt }: { doubt: ReturnType<typeof useRepeatedLine> }) {
  return (
    <Doubt title="This payment may be recorded already" label="This is another payment" doubt={doubt}>
      A payment of the same day, amount and reference is recorded on {doubt.places.join(', ')}.
    </Doubt>
  );
}

const isSame = (one: string | null, other: string | null): boolean =>
  (one ?? '').trim().toLowerCase() === (other ?? '').trim().toLowerCase();

/** The orders on which the line is recorded, and whether it is on account. A payment is booked on the day it was received, or later. */
async function placesOf({ accountId, environment, day, amountCents, reference }: BankLine, timeZone: string): Promise<string[]> {
  const { entries } = await ask(
    studio.GET('/accounts/{id}/statement', { params: { path: { id: accountId }, query: { environment, from: day } } }),
  );
  const paid = entries.filter((entry) => entry.type === 'payment' && isSame(entry.reference, reference));
  const isLine = (payment: Pick<Of<'Payment'>, 'amountCents' | 'reference' | 'receivedAt' | 'reversedAt'>): boolean =>
    payment.amountCents === amountCents &&
    isSame(payment.reference, reference) &&
    localOf(new Date(payment.receivedAt), timeZone).startsWith(day) &&
    payment.reversedAt === null;
  const ofSum = paid.filter(({ paymentId }) => sumOf(paid.filter((other) => other.paymentId === paymentId)) === amountCents);
  const ofAmount = paid.filter((entry) => -entry.amountCents === amountCents);
  const onOrders = unique(ofAmount.map(({ orderId }) => orderId)).map(async (id) => {
    const { orderNumber, payments } = await ask(studio.GET('/orders/{id}', { params: { path: { id } } }));
    return payments.some((payment) => !payment.paymentId.startsWith(ON_ACCOUNT) && isLine(payment)) ? [orderNumber] : [];
  });
  const onAccount = unique(ofSum.map(({ paymentId }) => paymentId)).map(async (paymentId) => {
    const payment = await accountPayment(accountId, paymentId);
    return payment !== null && payment.source === 'money' && isLine(payment) ? ['the account'] : [];
  });
  return unique((await Promise.all([...onOrders, ...onAccount])).flat());
}

const sumOf = (entries: readonly { amountCents: number }[]): number => entries.reduce((cents, entry) => cents - entry.amountCents, 0);

const unique = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

/** A share of a payment on account has this before the payment's own id. */
export const ON_ACCOUNT = 'account:';

/** Null if the id is of a payment on an order. */
async function accountPayment(id: string, paymentId: string): Promise<Of<'AccountPayment'> | null> {
  try {
    return await ask(studio.GET('/accounts/{id}/payments/{paymentId}', { params: { path: { id, paymentId } } }));
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}
