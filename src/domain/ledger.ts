import { ApiError } from './errors';
import { formatCents, multiplyDivide } from './money';

/** What is booked of an account, one entry each (ruling 52). */
export const ENTRY_TYPES = ['invoice', 'void', 'payment', 'reversal', 'credit_note', 'refund'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/** Of one statement, unless a single day has more. */
export const MAX_STATEMENT_ENTRIES = 10_000;
/** The oldest open invoices that a statement names: as many as a payment on account may name. */
export const MAX_STATEMENT_INVOICES = 1_000;

/** All that an invoice's standing rests on. Amounts in cents. */
export interface InvoiceFigures {
  amountCents: number;
  /** What was neither paid nor credited when it was voided; 0 while it is not. */
  voidedCents: number;
  isVoid: boolean;
  paidCents: number;
  creditedCents: number;
}

interface StoredInvoice {
  amount_cents: number;
  voided_cents: number;
  voided_at: Date | null;
  paid_cents: number;
  credited_cents: number;
}

export function toInvoiceFigures(invoice: StoredInvoice): InvoiceFigures {
  return {
    amountCents: invoice.amount_cents,
    voidedCents: invoice.voided_cents,
    isVoid: invoice.voided_at !== null,
    paidCents: invoice.paid_cents,
    creditedCents: invoice.credited_cents,
  };
}

/** What an invoice, or a change of one, is to its account's two running sums, in cents. The balance is the first less the second. */
export interface LedgerEffect {
  outstandingCents: number;
  creditCents: number;
}

/** What is still asked for, and what was paid or credited beyond what is owed: the account's credit (ruling 53). */
export function balancesOfInvoice({ amountCents, voidedCents, isVoid, paidCents, creditedCents }: InvoiceFigures): LedgerEffect {
  const billedCents = amountCents - voidedCents;
  return {
    outstandingCents: isVoid ? 0 : Math.max(0, billedCents - paidCents - creditedCents),
    creditCents: Math.max(0, paidCents + creditedCents - billedCents),
  };
}

/** What a change of an invoice does to its account: every entry about an invoice is such a difference. */
export function ledgerEffectOf(before: InvoiceFigures, after: InvoiceFigures): LedgerEffect {
  const [balancesBefore, balancesAfter] = [balancesOfInvoice(before), balancesOfInvoice(after)];
  return {
    outstandingCents: balancesAfter.outstandingCents - balancesBefore.outstandingCents,
    creditCents: balancesAfter.creditCents - balancesBefore.creditCents,
  };
}

export const INVOICE_STATES = ['open', 'part_paid', 'paid', 'credited', 'void'] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];
/** Those in which something is still asked for. */
export const UNPAID_STATES = ['open', 'part_paid'] as const satisfies readonly InvoiceState[];

/** The first that fits (ruling 55). */
export function invoiceState({ amountCents, isVoid, paidCents, creditedCents }: InvoiceFigures): InvoiceState {
  if (isVoid) return 'void';
  if (creditedCents >= amountCents && creditedCents > 0) return 'credited';
  if (paidCents + creditedCents >= amountCents) return 'paid';
  return paidCents + creditedCents > 0 ? 'part_paid' : 'open';
}

/**
 * The invoice once the studio has cancelled its order, and the amount of the credit note that goes with it, 0 for none: what was neither
 * paid nor credited is void, and what was paid becomes the account's credit (rulings 52 and 53). From then on its credit is what is paid,
 * whatever is reversed later.
 */
export function voidInvoice(before: InvoiceFigures): { figures: InvoiceFigures; noteCents: number } {
  const { amountCents, paidCents, creditedCents } = before;
  const noteCents = creditedOnCancelCents(before);
  const voidedCents = Math.max(0, amountCents - paidCents - creditedCents);
  return { figures: { ...before, isVoid: true, voidedCents, creditedCents: creditedCents + noteCents }, noteCents };
}

/** What a cancel credits: what was paid, as far as notes have not credited the invoice already. */
export function creditedOnCancelCents({
  amountCents,
  paidCents,
  creditedCents,
}: Pick<InvoiceFigures, 'amountCents' | 'paidCents' | 'creditedCents'>): number {
  return Math.min(paidCents, amountCents - creditedCents);
}

/** An invoice and the credit notes on it that stand, in cents. */
interface CreditedInvoice {
  amountCents: number;
  gstCents: number;
  creditedCents: number;
  creditedGstCents: number;
}

/** The GST in one more credit note of `noteCents`: notes of the whole invoice make its whole GST, also after others were reversed. */
export function gstOfCreditNote({ amountCents, gstCents, creditedCents, creditedGstCents }: CreditedInvoice, noteCents: number): number {
  return Math.max(0, multiplyDivide(gstCents, creditedCents + noteCents, amountCents) - creditedGstCents);
}

/** The GST in the part of an invoice that is void: none is owed on it. The notes of a cancelled order make the rest. */
export function gstOfVoid({ amountCents, voidedCents }: InvoiceFigures, gstCents: number): number {
  return voidedCents === 0 ? 0 : gstCents - multiplyDivide(gstCents, amountCents - voidedCents, amountCents);
}

/**
 * What has been used or paid back cannot be taken away again (ruling 53). In cents.
 * @throws ApiError CREDIT_INSUFFICIENT with creditCents and missingCents
 */
export function assertSufficientCredit(creditCents: number, changeCents: number): void {
  const missingCents = -(creditCents + changeCents);
  if (missingCents <= 0) return;
  throw new ApiError(
    'CREDIT_INSUFFICIENT',
    `the account has ${formatCents(Math.max(0, creditCents))} of credit, but this needs ${formatCents(-changeCents)}; ` +
      `use a smaller amount, reverse the payment or refund that used the credit, or first record ${formatCents(missingCents)} as a payment on account`,
    { creditCents, missingCents },
  );
}
