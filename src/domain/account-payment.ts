import { ApiError, validationError } from './errors';
import { ledgerEffectOf, balancesOfInvoice, type LedgerEffect, type InvoiceFigures } from './ledger';
import type { Environment } from './limits';
import { formatCents } from './money';
import { MAX_PER_KIND } from './order-messages/limits';

/** Sources of a payment on account: received money or the account's credit. */
export const PAYMENT_SOURCES = ['money', 'credit'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/** The maximum of invoices that a payment names, and that it pays. Orders of the account wait while a payment is recorded. */
export const MAX_REQUESTED_INVOICES = 1000;
export const MAX_PAID_INVOICES = 2000;

/** Maximum amount of one payment. Thousands of such amounts still add up exactly. */
export const MAX_MONEY_CENTS = 1_000_000_000_000;

/** An invoice that a payment on account may pay, under the account's lock. In cents. */
export interface PayableInvoice {
  id: string;
  invoiceNumber: string;
  orderId: string;
  accountId: string;
  environment: Environment;
  figures: InvoiceFigures;
  payments: number;
}

const dueCentsOf = ({ figures }: PayableInvoice): number => balancesOfInvoice(figures).outstandingCents;

export interface PaymentShare {
  invoice: PayableInvoice;
  amountCents: number;
}

/** The caller's share for one invoice, named by id or number, in cents. */
export interface RequestedShare {
  invoiceId: string;
  amountCents: number;
}

/** Sorts shares by invoice id, so that equal requests compare equal. */
export function toSharesById(requested: readonly RequestedShare[], found: ReadonlyMap<string, PayableInvoice>): RequestedShare[] {
  return requested
    .map(({ invoiceId, amountCents }) => ({ invoiceId: found.get(invoiceId)?.id ?? invoiceId, amountCents }))
    .toSorted((one, other) => (one.invoiceId < other.invoiceId ? -1 : 1));
}

export interface AccountPaymentInput {
  accountId: string;
  environment: Environment;
  source: PaymentSource;
  amountCents: number;
}

/**
 * Checks the requested shares against their invoices and returns them.
 * @param found the invoices by the id or number in the request
 * @throws ApiError VALIDATION_ERROR for an invoice named twice, PAYMENT_REFUSED with each invoice that cannot take its share
 */
export function allocateToRequested(
  payment: AccountPaymentInput,
  requested: readonly RequestedShare[],
  found: ReadonlyMap<string, PayableInvoice>,
): PaymentShare[] {
  const ids = requested.map(({ invoiceId }) => found.get(invoiceId)?.id ?? invoiceId);
  const repeatedIndex = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (repeatedIndex >= 0)
    throw validationError([{ path: `invoices.${repeatedIndex}.invoiceId`, message: 'repeats an invoice; list each invoice once' }]);
  const refused = requested.flatMap((share) => findRefusal(payment, share, found.get(share.invoiceId)));
  if (refused.length > 0) throw paymentRefusedError(refused);
  return requested.map(({ invoiceId, amountCents }) => ({ invoice: found.get(invoiceId) as PayableInvoice, amountCents }));
}

/**
 * Allocates the amount to the oldest open invoices. The last one may be paid in part.
 * @param open oldest first, with one invoice more than a payment may pay
 * @throws ApiError PAYMENT_REFUSED if there are too many invoices, or one already has the maximum of payments
 */
export function allocateToOldest(payment: AccountPaymentInput, open: readonly PayableInvoice[]): PaymentShare[] {
  const shares: PaymentShare[] = [];
  let leftCents = payment.amountCents;
  for (const invoice of open) {
    if (leftCents === 0) break;
    const amountCents = Math.min(leftCents, dueCentsOf(invoice));
    shares.push({ invoice, amountCents });
    leftCents -= amountCents;
  }
  if (shares.length > MAX_PAID_INVOICES) throw tooManyInvoicesError(shares);
  const refused = shares.flatMap(({ invoice, amountCents }) =>
    findRefusal(payment, { invoiceId: invoice.invoiceNumber, amountCents }, invoice),
  );
  if (refused.length > 0) throw paymentRefusedError(refused);
  return shares;
}

/**
 * Returns the unallocated part of a payment in cents, which becomes credit of the account.
 * @throws ApiError PAYMENT_REFUSED if the source is credit and a part is unallocated
 */
export function unappliedCentsOf({ source, amountCents }: AccountPaymentInput, shares: readonly PaymentShare[]): number {
  const appliedCents = shares.reduce((sum, share) => sum + share.amountCents, 0);
  const restCents = amountCents - appliedCents;
  if (source === 'money' || restCents === 0) return restCents;
  throw new ApiError(
    'PAYMENT_REFUSED',
    `a payment from credit must be applied in full, but only ${formatCents(appliedCents)} of ${formatCents(amountCents)} can be applied; ` +
      `send ${formatCents(appliedCents)}, or add invoices with more open`,
    { invoices: [] },
  );
}

/** Returns how paying or reversing a share changes the account. A share paid from credit uses credit, and its reversal restores it. */
export function ledgerEffectOfShare(source: PaymentSource, figures: InvoiceFigures, shareCents: number): LedgerEffect {
  const { outstandingCents, creditCents } = ledgerEffectOf(figures, { ...figures, paidCents: figures.paidCents + shareCents });
  return { outstandingCents, creditCents: creditCents - (source === 'credit' ? shareCents : 0) };
}

interface RefusedShare {
  invoiceId: string;
  /** The amount due, in cents; null for an unknown invoice. */
  dueCents: number | null;
  reason: string;
}

function findRefusal(
  payment: AccountPaymentInput,
  { invoiceId, amountCents }: RequestedShare,
  invoice: PayableInvoice | undefined,
): RefusedShare[] {
  const reason = findRefusalReason(payment, amountCents, invoice);
  return reason === null ? [] : [{ invoiceId, dueCents: invoice === undefined ? null : dueCentsOf(invoice), reason }];
}

function findRefusalReason(
  { accountId, environment }: AccountPaymentInput,
  amountCents: number,
  invoice: PayableInvoice | undefined,
): string | null {
  if (invoice === undefined) return 'the invoice does not exist';
  if (invoice.accountId !== accountId) return 'it belongs to another account';
  if (invoice.environment !== environment) return `it is a ${invoice.environment} invoice, but the payment is ${environment}`;
  if (invoice.figures.isVoid) return 'it is void';
  if (amountCents > dueCentsOf(invoice))
    return `its share is ${formatCents(amountCents)}, but only ${formatCents(dueCentsOf(invoice))} is open`;
  return invoice.payments < MAX_PER_KIND ? null : `its order already has the maximum of ${MAX_PER_KIND} payments`;
}

/** How many refusals the message names; `details` lists all of them. */
const MAX_NAMED_REFUSALS = 3;

function paymentRefusedError(invoices: readonly RefusedShare[]): ApiError {
  const reasons = invoices.slice(0, MAX_NAMED_REFUSALS).map(({ invoiceId, reason }) => `${invoiceId}: ${reason}`);
  const more = invoices.length > MAX_NAMED_REFUSALS ? `; and ${invoices.length - MAX_NAMED_REFUSALS} more` : '';
  return new ApiError('PAYMENT_REFUSED', `nothing was recorded. ${reasons.join('; ')}${more}`, { invoices });
}

function tooManyInvoicesError(shares: readonly PaymentShare[]): ApiError {
  const payable = shares.slice(0, MAX_PAID_INVOICES).reduce((sum, { amountCents }) => sum + amountCents, 0);
  return new ApiError(
    'PAYMENT_REFUSED',
    `nothing was recorded: the amount would pay more than ${MAX_PAID_INVOICES} invoices; record several payments of at most ${formatCents(payable)}, each with its own id`,
    { invoices: [] },
  );
}
