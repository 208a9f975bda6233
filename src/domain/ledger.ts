import { ApiError } from './errors';
import { formatCents, multiplyDivide } from './money';

/** Types of ledger entries (ruling 52). */
export const ENTRY_TYPES = ['invoice', 'void', 'payment', 'reversal', 'credit_note', 'refund'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/** The maximum of entries on a statement. A statement of a single day may have more. */
export const MAX_STATEMENT_ENTRIES = 10_000;
/** The maximum of open invoices on a statement, oldest first. One payment on account can name as many. */
export const MAX_STATEMENT_INVOICES = 1_000;

/** Everything that an invoice's balance depends on. Amounts in cents. */
export interface InvoiceFigures {
  amountCents: number;
  /** The unpaid and uncredited amount when the invoice was voided; else 0. */
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

/**
 * How an invoice or a change of it changes the account's two balances, in cents. The account's balance is outstandingCents − creditCents.
 */
export interface LedgerEffect {
  outstandingCents: number;
  creditCents: number;
}

/** Returns the invoice's open amount, and the amount that was paid or credited above it. The excess is credit of the account. */
export function balancesOfInvoice({ amountCents, voidedCents, isVoid, paidCents, creditedCents }: InvoiceFigures): LedgerEffect {
  const billedCents = amountCents - voidedCents;
  return {
    outstandingCents: isVoid ? 0 : Math.max(0, billedCents - paidCents - creditedCents),
    creditCents: Math.max(0, paidCents + creditedCents - billedCents),
  };
}

/** Returns how a change of an invoice changes its account. Every ledger entry about an invoice is such a difference. */
export function ledgerEffectOf(before: InvoiceFigures, after: InvoiceFigures): LedgerEffect {
  const [balancesBefore, balancesAfter] = [balancesOfInvoice(before), balancesOfInvoice(after)];
  return {
    outstandingCents: balancesAfter.outstandingCents - balancesBefore.outstandingCents,
    creditCents: balancesAfter.creditCents - balancesBefore.creditCents,
  };
}

export const INVOICE_STATES = ['open', 'part_paid', 'paid', 'credited', 'void'] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];
/** States with an open amount. */
export const UNPAID_STATES = ['open', 'part_paid'] as const satisfies readonly InvoiceState[];

/** Returns the first state that applies. */
export function invoiceState({ amountCents, isVoid, paidCents, creditedCents }: InvoiceFigures): InvoiceState {
  if (isVoid) return 'void';
  if (creditedCents >= amountCents && creditedCents > 0) return 'credited';
  if (paidCents + creditedCents >= amountCents) return 'paid';
  return paidCents + creditedCents > 0 ? 'part_paid' : 'open';
}

/**
 * Voids the invoice of a cancelled order. `noteCents` is the amount of the credit note, or 0. The unpaid and uncredited part is void, and
 * the paid part becomes the account's credit. The credit then equals the paid amount, even after reversals.
 */
export function voidInvoice(before: InvoiceFigures): { figures: InvoiceFigures; noteCents: number } {
  const { amountCents, paidCents, creditedCents } = before;
  const noteCents = creditedOnCancelCents(before);
  const voidedCents = Math.max(0, amountCents - paidCents - creditedCents);
  return { figures: { ...before, isVoid: true, voidedCents, creditedCents: creditedCents + noteCents }, noteCents };
}

/** Returns the amount that a cancellation credits: the paid part that earlier credit notes have not credited. */
export function creditedOnCancelCents({
  amountCents,
  paidCents,
  creditedCents,
}: Pick<InvoiceFigures, 'amountCents' | 'paidCents' | 'creditedCents'>): number {
  return Math.min(paidCents, amountCents - creditedCents);
}

/** An invoice and its unreversed credit notes, in cents. */
interface CreditedInvoice {
  amountCents: number;
  gstCents: number;
  creditedCents: number;
  creditedGstCents: number;
}

/**
 * Returns the GST of a further credit note of `noteCents`. If the notes credit the whole invoice, their GST adds up to exactly that of the
 * invoice, even after reversals.
 */
export function gstOfCreditNote({ amountCents, gstCents, creditedCents, creditedGstCents }: CreditedInvoice, noteCents: number): number {
  return Math.max(0, multiplyDivide(gstCents, creditedCents + noteCents, amountCents) - creditedGstCents);
}

/** Returns the GST of the void part of an invoice, which is not owed. The credit notes of a cancelled order contain the rest. */
export function gstOfVoid({ amountCents, voidedCents }: InvoiceFigures, gstCents: number): number {
  return voidedCents === 0 ? 0 : gstCents - multiplyDivide(gstCents, amountCents - voidedCents, amountCents);
}

/**
 * Refuses to remove credit that was already used or paid back. All amounts are in cents.
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
