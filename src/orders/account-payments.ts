import type { Clock } from '../clock';
import type { Sql } from '../db/database';
import {
  findPayable,
  insertAccountPayment,
  insertShares,
  lockOrders,
  markReversed,
  openInvoices,
  restateOrders,
  sharesOf,
  type OrderPayment,
} from '../db/repositories/account-payments';
import { book, type NewEntry } from '../db/repositories/ledger';
import type { PricingTermsReader } from '../db/repositories/pricing-terms';
import type { BankLine } from '../db/repositories/repeated-payments';
import type { AccountPaymentRow } from '../db/rows';
import {
  effectOfShare,
  namedShares,
  oldestShares,
  restOf,
  type MoneyOnAccount,
  type NamedShare,
  type PayableInvoice,
  type Share,
} from '../domain/account-payment';
import { comparedContent, messageContent, messageKey } from '../domain/order-message';
import { invoiceNamed } from '../domain/order-number';
import { ON_ACCOUNT, type OrderMessage } from '../domain/order-status';
import { sha256 } from '../security/fingerprint';
import { attendToRepeated, restatePaidButVoid } from './money-attention';

interface MoneyDeps {
  clock: Clock;
  pricingTerms: PricingTermsReader;
}

/** A payment on account as it was sent: null invoices are the oldest that are open. */
export interface SentPayment extends MoneyOnAccount {
  id: string;
  paymentId: string;
  receivedAt: string | null;
  reference: string | null;
  invoices: readonly NamedShare[] | null;
  /** The invoices that are named, by the text that names them. */
  payable: ReadonlyMap<string, PayableInvoice>;
  digest: string;
}

/**
 * Stores a payment on account with all that it does. The caller has locked the account, so that no invoice of it changes; the orders are
 * locked here, by id (ruling 54).
 * @param actor who stands in the orders' timelines
 * @throws ApiError PAYMENT_REFUSED, CREDIT_INSUFFICIENT; then the caller's transaction must not be kept
 */
export async function recordAccountPayment(deps: MoneyDeps, sql: Sql, sent: SentPayment, actor: string): Promise<AccountPaymentRow> {
  const now = deps.clock.now();
  const shares = await sharesFor(sql, sent);
  const payment = paymentOf(sent, restOf(sent, shares), now);
  await insertAccountPayment(sql, payment);
  const paymentId = `${ON_ACCOUNT}${payment.payment_id}`;
  const { reference } = payment;
  const receivedAt = payment.received_at.toISOString();
  const changes = shares.map(({ invoice, amountCents }): Change => {
    const message: OrderMessage = { type: 'payment_recorded', paymentId, amountCents, receivedAt, reference };
    return { invoice, amountCents, paymentId, message };
  });
  await lockOrders(sql, ordersOf(changes));
  await insertShares(sql, payment, paymentId, shares);
  await apply(deps, sql, { payment, changes, type: 'payment', actor, now });
  return payment;
}

/**
 * Takes a payment on account back as a whole, also where the credit that it became has been used (ruling 66). The caller has locked the
 * account.
 */
export async function reverseAccountPayment(
  deps: MoneyDeps,
  sql: Sql,
  payment: AccountPaymentRow,
  actor: string,
): Promise<AccountPaymentRow> {
  const now = deps.clock.now();
  const changes = (await sharesOf(sql, payment.id)).map(({ invoice, amountCents, paymentId }): Change => ({
    invoice,
    amountCents: -amountCents,
    paymentId,
    message: { type: 'payment_reversed', paymentId },
  }));
  await lockOrders(sql, ordersOf(changes));
  await markReversed(sql, payment.id, now);
  await apply(deps, sql, { payment, changes, type: 'reversal', actor, now });
  await restatePaidButVoid(sql, ordersOf(changes), now);
  return { ...payment, reversed_at: now };
}

async function sharesFor(sql: Sql, sent: SentPayment): Promise<Share[]> {
  if (sent.invoices === null) return oldestShares(sent, await openInvoices(sql, sent.accountId, sent.environment));
  return namedShares(sent, sent.invoices, sent.payable);
}

/** The invoices that are named by id or number, each under both. */
export async function payableNamed(sql: Sql, invoices: readonly NamedShare[] | null): Promise<Map<string, PayableInvoice>> {
  const named = (invoices ?? []).map(({ invoiceId }) => invoiceNamed(invoiceId)).filter((by) => by !== null);
  if (named.length === 0) return new Map();
  const payable = await findPayable(
    sql,
    named.flatMap((by) => ('id' in by ? [by.id] : [])),
    named.flatMap((by) => ('number' in by ? [by.number] : [])),
  );
  return new Map(payable.flatMap((invoice) => [invoice.id, invoice.invoiceNumber].map((name) => [name, invoice] as const)));
}

function paymentOf(sent: SentPayment, restCents: number, now: Date): AccountPaymentRow {
  return {
    id: sent.id,
    account_id: sent.accountId,
    environment: sent.environment,
    payment_id: sent.paymentId,
    source: sent.source,
    amount_cents: sent.amountCents,
    unapplied_cents: restCents,
    received_at: sent.receivedAt === null ? now : new Date(sent.receivedAt),
    reference: sent.reference,
    digest: sent.digest,
    created_at: now,
    reversed_at: null,
  };
}

/** By how much more of an invoice is paid, negative for less, and what its order's timeline says of it. */
interface Change {
  invoice: PayableInvoice;
  amountCents: number;
  /** On the order. */
  paymentId: string;
  message: OrderMessage;
}

const ordersOf = (changes: readonly Change[]): string[] => changes.map(({ invoice }) => invoice.orderId);

interface Movement {
  payment: AccountPaymentRow;
  changes: readonly Change[];
  type: 'payment' | 'reversal';
  actor: string;
  now: Date;
}

/** The orders first, then the ledger, of which the whole payment is one booking. */
async function apply(deps: MoneyDeps, sql: Sql, movement: Movement): Promise<void> {
  const { payment, changes, actor, now } = movement;
  if (changes.length > 0) await restateOrders(sql, changes.map(onOrder), { actor, now });
  const { account_id: accountId, environment } = payment;
  const { today, timeZone } = await deps.pricingTerms.studioDay(sql, now);
  const entries = [...changes.map((change) => entryOf(movement, change)), ...entryOfRest(movement)];
  await book(sql, { accountId, environment, now, today }, entries, { mayOverdraw: movement.type === 'reversal' });
  if (payment.source === 'money') await attendToRepeated(sql, lineOf(payment), { isNew: movement.type === 'payment', timeZone, now });
}

export const lineOf = (payment: AccountPaymentRow): BankLine => ({
  accountId: payment.account_id,
  environment: payment.environment,
  paymentId: payment.payment_id,
  amountCents: payment.amount_cents,
  receivedAt: payment.received_at,
});

function onOrder({ invoice, amountCents, message }: Change): OrderPayment {
  return {
    orderId: invoice.orderId,
    invoiceId: invoice.id,
    amountCents,
    type: message.type,
    key: messageKey(message),
    content: messageContent(message),
    digest: sha256(comparedContent(message)),
  };
}

function entryOf({ payment, type }: Movement, { invoice, amountCents, paymentId }: Change): NewEntry {
  return {
    type,
    ...effectOfShare(payment.source, invoice.figures, amountCents),
    orderId: invoice.orderId,
    invoiceId: invoice.id,
    accountPaymentId: payment.id,
    paymentId,
  };
}

/** What pays no invoice is the account's credit, and is taken from it again. */
function entryOfRest({ payment: { id, unapplied_cents }, type }: Movement): NewEntry[] {
  const creditCents = type === 'payment' ? unapplied_cents : -unapplied_cents;
  return unapplied_cents === 0 ? [] : [{ type, outstandingCents: 0, creditCents, accountPaymentId: id }];
}
