import { ApiError, validationError } from './errors';
import { effectOf, standingOf, type Effect, type InvoiceFigures } from './ledger';
import type { Environment } from './limits';
import { formatCents } from './money';
import { MAX_PER_KIND } from './order-message';

/** What a payment on account is made of: money that came, or credit that the account had (ruling 53). */
export const PAYMENT_SOURCES = ['money', 'credit'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/** So many invoices may be named, and so many are paid at most where none are: orders of the account wait meanwhile, and not for long. */
export const MAX_NAMED_INVOICES = 1000;
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

const dueOf = ({ figures }: PayableInvoice): number => standingOf(figures).outstandingCents;

export interface Share {
  invoice: PayableInvoice;
  amountCents: number;
}

/** The part of an invoice that the caller names, by whatever text, in cents. */
export interface NamedShare {
  invoiceId: string;
  amountCents: number;
}

/** Equal for the same shares, whether their invoices are named by id or by number, and in whichever order. */
export function sharesById(named: readonly NamedShare[], found: ReadonlyMap<string, PayableInvoice>): NamedShare[] {
  return named
    .map(({ invoiceId, amountCents }) => ({ invoiceId: found.get(invoiceId)?.id ?? invoiceId, amountCents }))
    .toSorted((one, other) => (one.invoiceId < other.invoiceId ? -1 : 1));
}

export interface MoneyOnAccount {
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
export function namedShares(money: MoneyOnAccount, named: readonly NamedShare[], found: ReadonlyMap<string, PayableInvoice>): Share[] {
  const ids = named.map(({ invoiceId }) => found.get(invoiceId)?.id ?? invoiceId);
  const twice = ids.findIndex((id, at) => ids.indexOf(id) < at);
  if (twice >= 0)
    throw validationError([{ path: `invoices.${twice}.invoiceId`, message: 'names an invoice that is named before; name each once' }]);
  const refused = named.flatMap((share) => refusalOf(money, share, found.get(share.invoiceId)));
  if (refused.length > 0) throw refusedFor(refused);
  return named.map(({ invoiceId, amountCents }) => ({ invoice: found.get(invoiceId) as PayableInvoice, amountCents }));
}

/**
 * As many of the oldest open invoices as the amount pays, the last of them perhaps in part.
 * @param open oldest first, more than may be paid at once where there are more
 * @throws ApiError PAYMENT_REFUSED where they are too many, or one has taken its fill of payments
 */
export function oldestShares(money: MoneyOnAccount, open: readonly PayableInvoice[]): Share[] {
  const shares: Share[] = [];
  let left = money.amountCents;
  for (const invoice of open) {
    if (left === 0) break;
    const amountCents = Math.min(left, dueOf(invoice));
    shares.push({ invoice, amountCents });
    left -= amountCents;
  }
  if (shares.length > MAX_PAID_INVOICES) throw tooMany(shares);
  const refused = shares.flatMap(({ invoice, amountCents }) =>
    refusalOf(money, { invoiceId: invoice.invoiceNumber, amountCents }, invoice),
  );
  if (refused.length > 0) throw refusedFor(refused);
  return shares;
}

/** The rest of a payment in cents: the account's credit. @throws ApiError PAYMENT_REFUSED for credit that is not used up */
export function restOf({ source, amountCents }: MoneyOnAccount, shares: readonly Share[]): number {
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
export function effectOfShare(source: PaymentSource, figures: InvoiceFigures, shareCents: number): Effect {
  const { outstandingCents, creditCents } = effectOf(figures, { ...figures, paidCents: figures.paidCents + shareCents });
  return { outstandingCents, creditCents: creditCents - (source === 'credit' ? shareCents : 0) };
}

interface RefusedShare {
  invoiceId: string;
  /** What is due on it, in cents; null for an invoice that there is not. */
  dueCents: number | null;
  reason: string;
}

function refusalOf(money: MoneyOnAccount, { invoiceId, amountCents }: NamedShare, invoice: PayableInvoice | undefined): RefusedShare[] {
  const reason = reasonAgainst(money, amountCents, invoice);
  return reason === null ? [] : [{ invoiceId, dueCents: invoice === undefined ? null : dueOf(invoice), reason }];
}

function reasonAgainst(
  { accountId, environment }: MoneyOnAccount,
  amountCents: number,
  invoice: PayableInvoice | undefined,
): string | null {
  if (invoice === undefined) return 'there is no such invoice';
  if (invoice.accountId !== accountId) return 'it is of another account';
  if (invoice.environment !== environment) return `it is a ${invoice.environment} invoice, and the payment is ${environment}`;
  if (invoice.figures.isVoid) return 'it is void';
  if (amountCents > dueOf(invoice)) return `it has ${formatCents(dueOf(invoice))} open, and its share is ${formatCents(amountCents)}`;
  return invoice.payments < MAX_PER_KIND ? null : `its order has taken ${MAX_PER_KIND} payments and takes no more`;
}

/** How many the message names; `details` has them all. */
const TOLD = 3;

function refusedFor(invoices: readonly RefusedShare[]): ApiError {
  const told = invoices.slice(0, TOLD).map(({ invoiceId, reason }) => `${invoiceId}: ${reason}`);
  const more = invoices.length > TOLD ? `; and ${invoices.length - TOLD} more` : '';
  return new ApiError('PAYMENT_REFUSED', `nothing was recorded. ${told.join('; ')}${more}`, { invoices });
}

function tooMany(shares: readonly Share[]): ApiError {
  const payable = shares.slice(0, MAX_PAID_INVOICES).reduce((sum, { amountCents }) => sum + amountCents, 0);
  return new ApiError(
    'PAYMENT_REFUSED',
    `nothing was recorded: the amount would pay more than ${MAX_PAID_INVOICES} invoices; record it in parts, each under an id of its own, of ${formatCents(payable)} at most`,
    { invoices: [] },
  );
}
