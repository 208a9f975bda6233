import { formatMoney } from './amount';

export function Money({ cents, currency }: { cents: number | null | undefined; currency?: string }) {
  if (cents === null || cents === undefined) return <>–</>;
  return <span className="money">{formatMoney(cents, currency)}</span>;
}

export function Change({ from, to, currency }: { from: number; to: number; currency?: string }) {
  return <span className="money">{`${to > from ? '+' : ''}${formatMoney(to - from, currency)}`}</span>;
}

const WARN_BPS = 9_000;
const WHOLE_BPS = 10_000;

/** How near to its limit what an account owes comes: from `used up` on no order is taken. */
type CreditStanding = 'in reach' | 'nearly used up' | 'used up';

export function creditStanding(usedBps: number): CreditStanding {
  if (usedBps >= WHOLE_BPS) return 'used up';
  return usedBps > WARN_BPS ? 'nearly used up' : 'in reach';
}

/** `99.9 %`, never rounded up: what is not used up does not look like it. */
export const usedInPercent = (usedBps: number): string => `${(Math.floor(usedBps / 10) / 10).toLocaleString('en-AU')} %`;

export function standingInWords(usedBps: number): string {
  const standing = creditStanding(usedBps);
  return standing === 'in reach' ? '' : `: ${standing}`;
}

/** What becomes of so much that is credited of an invoice of which `dueCents` are still to be paid. */
export function creditedWords({ cents, dueCents, currency }: { cents: number; dueCents: number; currency: string }): string {
  const taken = Math.min(cents, dueCents);
  const less = taken > 0 && `${formatMoney(taken, currency)} less is to be paid`;
  const credit = cents > taken && `${formatMoney(cents - taken, currency)} went to the account’s credit`;
  return [less, credit].filter((words) => words !== false).join(', ');
}
