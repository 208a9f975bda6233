import { formatMoney } from './amount';

/** What becomes of so much that is credited of an invoice of which `dueCents` are still to be paid. */
export function creditedWords({ cents, dueCents, currency }: { cents: number; dueCents: number; currency: string }): string {
  const taken = Math.min(cents, dueCents);
  const less = taken > 0 && `${formatMoney(taken, currency)} less is to be paid`;
  const credit = cents > taken && `${formatMoney(cents - taken, currency)} went to the account’s credit`;
  return [less, credit].filter((words) => words !== false).join(', ');
}
