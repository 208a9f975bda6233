import type { Of } from '../../api/types';
import { centsOf } from '../../shared/amount';

export type Open = Pick<Of<'InvoiceRow'>, 'invoiceNumber' | 'dueCents' | 'issuedAt' | 'dueDate' | 'overdue'>;
type Share = Pick<Of<'InvoiceRow'>, 'invoiceNumber' | 'dueCents' | 'amountCents'>;
export type Ticked = Readonly<Record<string, string>>;

export interface Plan {
  shares: readonly Share[];
  restCents: number;
  problem?: string;
}

/** As many of the oldest as the amount pays, the last of them perhaps in part, as the API does it where none is named. */
function oldestShares(open: readonly Open[], amountCents: number): Share[] {
  const shares: Share[] = [];
  let left = amountCents;
  for (const { invoiceNumber, dueCents } of open) {
    if (left === 0) break;
    const share = Math.min(left, dueCents);
    shares.push({ invoiceNumber, amountCents: share, dueCents });
    left -= share;
  }
  return shares;
}

export const keptWhole = (amountCents: number): Plan => ({ shares: [], restCents: amountCents });

/** What would become of an amount, shared as it was ticked, else among the oldest; `credit` has to be used up. */
export function planOf(open: readonly Open[], amountCents: number, ticked: Ticked, isCredit: boolean, currency: string): Plan {
  const chosen = open.filter(({ invoiceNumber }) => invoiceNumber in ticked);
  const wrong = chosen.find(({ invoiceNumber, dueCents }) => !fits(centsOf(ticked[invoiceNumber] ?? '', currency), dueCents));
  if (wrong !== undefined)
    return { shares: [], restCents: amountCents, problem: `${wrong.invoiceNumber} takes an amount up to what is open of it.` };
  const shares = chosen.length === 0 ? oldestShares(open, amountCents) : chosen.map((one) => shareOf(one, ticked, currency));
  const restCents = amountCents - shares.reduce((sum, share) => sum + share.amountCents, 0);
  if (restCents < 0) return { shares, restCents: 0, problem: 'The ticked invoices come to more than the amount.' };
  if (isCredit && restCents > 0) return { shares, restCents, problem: 'Credit has to be used up: take less, or tick more invoices.' };
  return { shares, restCents };
}

function shareOf({ invoiceNumber, dueCents }: Open, ticked: Ticked, currency: string): Share {
  return { invoiceNumber, dueCents, amountCents: centsOf(ticked[invoiceNumber] ?? '', currency) ?? 0 };
}

const fits = (cents: number | null, dueCents: number): boolean => cents !== null && cents > 0 && cents <= dueCents;
