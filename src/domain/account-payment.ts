import { ApiError, validationError } from './errors';
import { ledgerEffectOf, balancesOfInvoice, type LedgerEffect, type InvoiceFigures } from './ledger';
import type { Environment } from './limits';
import { formatCents } from './money';
import { MAX_PER_KIND } from './message-rules';

/** What a payment on account is made of: money that came, or credit that the account had (ruling 53). */
export const PAYMENT_SOURCES = ['money', 'credit'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/** So many invoices may be named, and so many are paid at most where none are: orders of the account wait meanwhile, and not for long. */
export const MAX_REQUESTED_INVOICES = 1000;
export const MAX_PAID_INVOICES = 2000;

/** The most that is recorded at once: some thousands of such sums still add up exactly. */
export const MAX_MONEY_CENTS = 1_000_000_000_000;

/** An invoice as a payment on account finds it, under the account's lock. In cents. */
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

/** The part of an invoice that the caller names, by whatever text, in cents. */
export interface RequestedShare {
  invoiceId: string;
  amountCents: number;
}

/** Equal for the same shares, whether their invoices are named by id or by number, and in whichever order. */
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
 * The shares that the caller names, each of an invoice that it fits.
 * @param found the invoices by the text that names them
 * @throws ApiError VALIDATION_ERROR for one that is named twice, PAYMENT_REFUSED with each that does not take its share (ruling 54)
 */
export function allocateToRequested(
  payment: AccountPaymentInput,
  requested: readonly RequestedShare[],
  found: ReadonlyMap<string, PayableInvoice>,
): PaymentShare[] {
  const ids = requested.map(({ invoiceId }) => found.get(invoiceId)?.id ?? invoiceId);
  const repeatedIndex = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (repeatedIndex >= 0)
    throw validationError([
      { path: `invoices.${repeatedIndex}.invoiceId`, message: 'names an invoice that is named before; name each once' },
    ]);
  const refused = requested.flatMap((share) => findRefusal(payment, share, found.get(share.invoiceId)));
  if (refused.length > 0) throw paymentRefusedError(refused);
  return requested.map(({ invoiceId, amountCents }) => ({ invoice: found.get(invoiceId) as PayableInvoice, amountCents }));
}

/**
 * As many of the oldest open invoices as the amount pays, the last of them perhaps in part.
 * @param open oldest first, more than may be paid at once where there are more
 * @throws ApiError PAYMENT_REFUSED where they are too many, or one has taken its fill of payments
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

/** The rest of a payment in cents: the account's credit. @throws ApiError PAYMENT_REFUSED for credit that is not used up */
export function unappliedCentsOf({ source, amountCents }: AccountPaymentInput, shares: readonly PaymentShare[]): number {
  const appliedCents = shares.reduce((sum, share) => sum + share.amountCents, 0);
  const restCents = amountCents - appliedCents;
  if (source === 'money' || restCents === 0) return restCents;
  throw new ApiError(
    'PAYMENT_REFUSED',
    `a payment from credit has to be used up: ${formatCents(appliedCents)} of ${formatCents(amountCents)} would go to invoices; ` +
      `take ${formatCents(appliedCents)}, or name invoices that take more`,
    { invoices: [] },
  );
}

/** What a share, paid or taken back, does to the account: credit that pays an invoice is used up by it, and comes back with it. */
export function ledgerEffectOfShare(source: PaymentSource, figures: InvoiceFigures, shareCents: number): LedgerEffect {
  const { outstandingCents, creditCents } = ledgerEffectOf(figures, { ...figures, paidCents: figures.paidCents + shareCents });
  return { outstandingCents, creditCents: creditCents - (source === 'credit' ? shareCents : 0) };
}

interface RefusedShare {
  invoiceId: string;
  /** What is due on it, in cents; null for an invoice that there is not. */
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
  if (invoice === undefined) return 'there is no such invoice';
  if (invoice.accountId !== accountId) return 'it is of another account';
  if (invoice.environment !== environment) return `it is a ${invoice.environment} invoice, and the payment is ${environment}`;
  if (invoice.figures.isVoid) return 'it is void';
  if (amountCents > dueCentsOf(invoice))
    return `it has ${formatCents(dueCentsOf(invoice))} open, and its share is ${formatCents(amountCents)}`;
  return invoice.payments < MAX_PER_KIND ? null : `its order has taken ${MAX_PER_KIND} payments and takes no more`;
}

/** How many the message names; `details` has them all. */
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
    `nothing was recorded: the amount would pay more than ${MAX_PAID_INVOICES} invoices; record it in parts, each under an id of its own, of ${formatCents(payable)} at most`,
    { invoices: [] },
  );
}
