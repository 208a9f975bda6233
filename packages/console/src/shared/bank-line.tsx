import { page, studio } from '../api/studio';
import type { Environment } from '../api/types';
import { Doubt, useDoubt } from './doubt';

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
  return useDoubt({
    noun: 'statement',
    about: line === null ? null : JSON.stringify(line),
    find: async () => (line === null ? [] : placesOf(line)),
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

/** The orders on which the line is recorded, and whether it is on account. */
async function placesOf({ accountId, environment, day, amountCents, reference }: BankLine): Promise<string[]> {
  const query = { accountId, environment, from: day, to: day, limit: 100 };
  const { rows: payments } = await page(studio.GET('/payments', { params: { query } }));
  const same = payments.filter(
    (payment) =>
      payment.source === 'money' &&
      payment.reversedAt === null &&
      payment.amountCents === amountCents &&
      isSame(payment.reference, reference),
  );
  return [...new Set(same.map(({ orderNumber }) => orderNumber ?? 'the account'))];
}

/** A share of a payment on account has this before the payment's own id. */
export const ON_ACCOUNT = 'account:';
