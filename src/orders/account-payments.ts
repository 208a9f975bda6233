import type { Clock } from '../platform/clock';
import type { Sql, Transaction } from '../db/database';
import {
  findPayableInvoices,
  insertAccountPayment,
  insertShares,
  lockOrders,
  markAccountPaymentReversed,
  findOpenInvoices,
  applySharesToOrders,
  findPaidShares,
  type OrderPaymentEntry,
} from '../db/repositories/account-payments';
import { bookEntries, type NewLedgerEntry } from '../db/repositories/ledger';
import type { StudioCalendar } from '../db/repositories/studio-calendar';
import type { BankTransaction } from '../db/repositories/repeated-payments';
import { rowFromFields } from '../db/columns';
import type { AccountPaymentRow } from '../db/rows';
import {
  ledgerEffectOfShare,
  allocateToRequested,
  allocateToOldest,
  unappliedCentsOf,
  type AccountPaymentInput,
  type RequestedShare,
  type PayableInvoice,
  type PaymentShare,
} from '../domain/account-payment';
import { comparedContent, messageContent, messageKey, type OrderMessage } from '../domain/order-messages';
import { ACCOUNT_PAYMENT_PREFIX } from '../domain/order-messages/payment-recorded';
import { parseInvoiceReference } from '../domain/order-number';
import { sha256 } from '../security/fingerprint';
import { findPlaces, updateRepeatedPayment, updatePaidButVoid } from './money-attention';

interface MoneyDeps {
  clock: Clock;
  calendar: StudioCalendar;
}

/** A requested payment on account. If `invoices` is null, it pays the oldest open invoices. */
export interface AccountPaymentRequest extends AccountPaymentInput {
  id: string;
  paymentId: string;
  receivedAt: string | null;
  reference: string | null;
  invoices: readonly RequestedShare[] | null;
  /** The invoices that the request lists, by the id or number in the request. */
  payable: ReadonlyMap<string, PayableInvoice>;
  digest: string;
}

/**
 * Stores a payment on account with all its effects. The caller has locked the account, so its invoices cannot change. The orders are locked
 * here, sorted by id (ruling 54).
 * @param actor the actor in the orders' timelines
 * @throws ApiError PAYMENT_REFUSED, CREDIT_INSUFFICIENT; then the caller must roll back its transaction
 */
export async function recordAccountPayment(
  deps: MoneyDeps,
  sql: Transaction,
  request: AccountPaymentRequest,
  actor: string,
): Promise<AccountPaymentRow> {
  const now = deps.clock.now();
  const shares = await resolveShares(sql, request);
  const payment = createPayment(request, unappliedCentsOf(request, shares), now);
  await insertAccountPayment(sql, payment);
  const paymentId = `${ACCOUNT_PAYMENT_PREFIX}${payment.payment_id}`;
  const { reference } = payment;
  const receivedAt = payment.received_at.toISOString();
  const changes = shares.map(({ invoice, amountCents }): InvoiceChange => {
    const message: OrderMessage = { type: 'payment_recorded', paymentId, amountCents, receivedAt, reference };
    return { invoice, amountCents, paymentId, message };
  });
  await lockOrders(sql, orderIdsOf(changes));
  await insertShares(sql, payment, paymentId, shares);
  await bookMovement(deps, sql, { payment, changes, type: 'payment', actor, now });
  return payment;
}

/** Reverses a whole payment on account, even if the credit from it was used. The caller has locked the account. */
export async function reverseAccountPayment(
  deps: MoneyDeps,
  sql: Transaction,
  before: AccountPaymentRow,
  reason: string,
  actor: string,
): Promise<AccountPaymentRow> {
  const now = deps.clock.now();
  const payment = { ...before, reversed_at: now, reversal_reason: reason };
  const changes = (await findPaidShares(sql, payment.id)).map(({ invoice, amountCents, paymentId }): InvoiceChange => ({
    invoice,
    amountCents: -amountCents,
    paymentId,
    message: { type: 'payment_reversed', paymentId, reason },
  }));
  await lockOrders(sql, orderIdsOf(changes));
  await markAccountPaymentReversed(sql, payment);
  await bookMovement(deps, sql, { payment, changes, type: 'reversal', actor, now });
  await updatePaidButVoid(sql, orderIdsOf(changes), now);
  return payment;
}

async function resolveShares(sql: Sql, request: AccountPaymentRequest): Promise<PaymentShare[]> {
  if (request.invoices === null) return allocateToOldest(request, await findOpenInvoices(sql, request.accountId, request.environment));
  return allocateToRequested(request, request.invoices, request.payable);
}

/** Finds the invoices that a request lists. The map contains each invoice twice: by its id and by its number. */
export async function resolvePayableInvoices(sql: Sql, invoices: readonly RequestedShare[] | null): Promise<Map<string, PayableInvoice>> {
  const references = (invoices ?? []).map(({ invoiceId }) => parseInvoiceReference(invoiceId)).filter((reference) => reference !== null);
  if (references.length === 0) return new Map();
  const payable = await findPayableInvoices(
    sql,
    references.flatMap((reference) => ('id' in reference ? [reference.id] : [])),
    references.flatMap((reference) => ('number' in reference ? [reference.number] : [])),
  );
  return new Map(payable.flatMap((invoice) => [invoice.id, invoice.invoiceNumber].map((name) => [name, invoice] as const)));
}

function createPayment(request: AccountPaymentRequest, unappliedCents: number, now: Date): AccountPaymentRow {
  const { invoices: _invoices, payable: _payable, receivedAt, ...fields } = request;
  return {
    ...rowFromFields(fields),
    unapplied_cents: unappliedCents,
    received_at: receivedAt === null ? now : new Date(receivedAt),
    created_at: now,
    reversed_at: null,
    reversal_reason: null,
  };
}

/** A change of an invoice's paid amount, and the message for its order's timeline. A reversal has a negative amount. */
interface InvoiceChange {
  invoice: PayableInvoice;
  amountCents: number;
  /** The payment's id on the order. */
  paymentId: string;
  message: OrderMessage;
}

const orderIdsOf = (changes: readonly InvoiceChange[]): string[] => changes.map(({ invoice }) => invoice.orderId);

interface PaymentMovement {
  payment: AccountPaymentRow;
  changes: readonly InvoiceChange[];
  type: 'payment' | 'reversal';
  actor: string;
  now: Date;
}

/** Changes the orders, then books the whole payment in the ledger at once. */
async function bookMovement(deps: MoneyDeps, sql: Transaction, movement: PaymentMovement): Promise<void> {
  const { payment, changes, actor, now } = movement;
  if (changes.length > 0) await applySharesToOrders(sql, changes.map(toOrderPayment), { actor, now });
  const { account_id: accountId, environment } = payment;
  const { today, timeZone } = await deps.calendar.studioDay(sql, now);
  const entries = [...changes.map((change) => toLedgerEntry(movement, change)), ...unappliedEntries(movement)];
  await bookEntries(sql, { accountId, environment, now, today }, entries, { mayOverdraw: movement.type === 'reversal' });
  if (payment.source === 'money')
    await updateRepeatedPayment(sql, await findPlaces(sql, bankTransactionOf(payment), timeZone), {
      isNew: movement.type === 'payment',
      now,
    });
}

export const bankTransactionOf = (payment: AccountPaymentRow): BankTransaction => ({
  accountId: payment.account_id,
  environment: payment.environment,
  paymentId: payment.payment_id,
  amountCents: payment.amount_cents,
  receivedAt: payment.received_at,
});

function toOrderPayment({ invoice, amountCents, message }: InvoiceChange): OrderPaymentEntry {
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

function toLedgerEntry({ payment, type }: PaymentMovement, { invoice, amountCents, paymentId }: InvoiceChange): NewLedgerEntry {
  return {
    type,
    ...ledgerEffectOfShare(payment.source, invoice.figures, amountCents),
    orderId: invoice.orderId,
    invoiceId: invoice.id,
    accountPaymentId: payment.id,
    paymentId,
  };
}

/** The part that pays no invoice becomes the account's credit; a reversal removes it. */
function unappliedEntries({ payment: { id, unapplied_cents }, type }: PaymentMovement): NewLedgerEntry[] {
  const creditCents = type === 'payment' ? unapplied_cents : -unapplied_cents;
  return unapplied_cents === 0 ? [] : [{ type, outstandingCents: 0, creditCents, accountPaymentId: id }];
}
