import type { Schema } from '../api/studio';
import { formatAmount, parseCents } from '../shared/amount';

export type OpenInvoice = Pick<Schema<'InvoiceRow'>, 'invoiceNumber' | 'dueCents' | 'issuedAt' | 'dueAt'>;

/** The typed amounts for the selected invoices, by their numbers. */
export type Selection = Readonly<Record<string, string>>;

interface PaymentInput {
  amount: string;
  currency: string;
  selected: Selection;
}

export const sumOf = (selected: Selection, currency: string): number =>
  Object.values(selected).reduce((sum, typed) => sum + (parseCents(typed, currency) ?? 0), 0);

const followsSelection = ({ amount, currency, selected }: PaymentInput): boolean =>
  amount.trim() === '' || parseCents(amount, currency) === sumOf(selected, currency);

/** Changes the selection. An empty amount, or the sum of the old selection, becomes the sum of the new one. */
export function changeSelection(input: PaymentInput, selected: Selection): Pick<PaymentInput, 'amount' | 'selected'> {
  const sumCents = sumOf(selected, input.currency);
  return { selected, amount: followsSelection(input) ? (sumCents === 0 ? '' : formatAmount(sumCents)) : input.amount };
}

/** Changes the amount. The only selected invoice gets all of it, up to its amount due. */
export function changeAmount(input: PaymentInput, amount: string, open: readonly OpenInvoice[]): Pick<PaymentInput, 'amount' | 'selected'> {
  const selected = open.filter(({ invoiceNumber }) => invoiceNumber in input.selected);
  const [only] = selected;
  const cents = parseCents(amount, input.currency) ?? 0;
  if (only === undefined || selected.length > 1 || cents <= 0) return { selected: input.selected, amount };
  return { selected: { [only.invoiceNumber]: formatAmount(Math.min(cents, only.dueCents)) }, amount };
}

/** Selects or deselects an invoice. An amount that the user typed is split over the selected invoices. */
export function selectInvoice(input: PaymentInput, { invoiceNumber, dueCents }: OpenInvoice, isSelected: boolean) {
  const { [invoiceNumber]: _removed, ...others } = input.selected;
  if (!isSelected) return changeSelection(input, others);
  const restCents = (parseCents(input.amount, input.currency) ?? 0) - sumOf(others, input.currency);
  const shareCents = followsSelection(input) || restCents <= 0 ? dueCents : Math.min(restCents, dueCents);
  return changeSelection(input, { ...others, [invoiceNumber]: formatAmount(shareCents) });
}

export interface Allocation {
  /** Cents by invoice number. */
  shares: Readonly<Record<string, number>>;
  /** The rest, which becomes credit of the account. */
  creditCents: number;
  problem?: string;
}

/** Pays the oldest invoices first, like the API if the request names none. */
function oldestFirst(open: readonly OpenInvoice[], amountCents: number): Record<string, number> {
  const shares: Record<string, number> = {};
  let restCents = amountCents;
  for (const { invoiceNumber, dueCents } of open) {
    if (restCents === 0) break;
    shares[invoiceNumber] = Math.min(restCents, dueCents);
    restCents -= Math.min(restCents, dueCents);
  }
  return shares;
}

/** Splits an amount over the selected invoices, or over the oldest. Credit must be used up. */
export function allocate(
  open: readonly OpenInvoice[],
  amountCents: number,
  typed: Selection,
  currency: string,
  isCredit: boolean,
): Allocation {
  const selected = open.filter(({ invoiceNumber }) => invoiceNumber in typed);
  const centsFor = ({ invoiceNumber }: OpenInvoice): number => parseCents(typed[invoiceNumber] ?? '', currency) ?? 0;
  const wrong = selected.find((invoice) => centsFor(invoice) <= 0 || centsFor(invoice) > invoice.dueCents);
  const isAnyMissing = selected.length < Object.keys(typed).length;
  const shares =
    selected.length === 0
      ? oldestFirst(open, amountCents)
      : Object.fromEntries(selected.map((invoice) => [invoice.invoiceNumber, centsFor(invoice)]));
  const creditCents = amountCents - Object.values(shares).reduce((sum, cents) => sum + cents, 0);
  if (isAnyMissing) return { shares, creditCents: 0, problem: 'A selected invoice is paid now. Close this and start again.' };
  if (wrong !== undefined) return { shares, creditCents: 0, problem: `Enter an amount for ${wrong.invoiceNumber}, up to its amount due` };
  if (creditCents < 0) return { shares, creditCents: 0, problem: 'The selected invoices add up to more than the amount' };
  if (isCredit && creditCents > 0) return { shares, creditCents, problem: 'Reduce the amount or select more invoices' };
  return { shares, creditCents };
}
