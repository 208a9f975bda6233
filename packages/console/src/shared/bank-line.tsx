import { callApiPage, type Environment, studio } from '../api/studio';
import { DuplicateWarning, useDuplicateCheck } from './duplicate-check';

interface BankLine {
  accountId: string;
  environment: Environment;
  /** The day of receipt at the studio, `2026-11-22`. */
  day: string;
  amountCents: number;
  reference: string;
}

/** Finds a recorded payment of the same bank line (ruling 70). `line` is null while the form is incomplete. */
export function useRepeatedLine(line: BankLine | null) {
  return useDuplicateCheck({
    noun: 'statement',
    values: line === null ? null : JSON.stringify(line),
    find: async () => (line === null ? [] : placesOf(line)),
  });
}

export function RepeatedLine({ check }: { check: ReturnType<typeof useRepeatedLine> }) {
  return (
    <DuplicateWarning title="Possible duplicate" label="This is another payment" check={check}>
      A payment with the same day, amount and reference is recorded on {check.duplicates.join(', ')}.
    </DuplicateWarning>
  );
}

const isSame = (one: string | null, other: string | null): boolean =>
  (one ?? '').trim().toLowerCase() === (other ?? '').trim().toLowerCase();

/** The orders on which the payment is recorded, or the account. */
async function placesOf({ accountId, environment, day, amountCents, reference }: BankLine): Promise<string[]> {
  const query = { accountId, environment, from: day, to: day, limit: 100 };
  const { rows: payments } = await callApiPage(studio.GET('/payments', { params: { query } }));
  const same = payments.filter(
    (payment) =>
      payment.source === 'money' &&
      payment.reversedAt === null &&
      payment.amountCents === amountCents &&
      isSame(payment.reference, reference),
  );
  return [...new Set(same.map(({ orderNumber }) => orderNumber ?? 'the account'))];
}
