import type { Sql, Transaction } from '../db/database';
import { clearAttention, findOpenPaidButVoid, updateAttentionMessage } from '../db/repositories/attention';
import {
  clearRepeatedPayments,
  MAX_RECORDED_PAYMENTS,
  findOpenRepeatedPayment,
  findRecordedPayments,
  raiseRepeatedPayment,
  PAYMENT_REPEATED,
  type BankTransaction,
  type RecordedPayment,
} from '../db/repositories/repeated-payments';
import type { AttentionRow } from '../db/rows';
import { formatCents } from '../domain/money';
import { localDate, nextDay, startOfDay } from '../domain/pricing/ready-date';

/** The message about a void invoice with payments. */
export const paidButVoidMessage = (cents: number): string => `the invoice is void, but ${formatCents(cents)} has been paid on it`;

/** After reversed payments: updates the amount in PAID_BUT_VOID of each order, and clears it when nothing is paid. */
export async function updatePaidButVoid(sql: Sql, orderIds: readonly string[], now: Date): Promise<void> {
  for (const { order_id: orderId, subject, cents } of await findOpenPaidButVoid(sql, orderIds)) {
    const occurrence = { orderId, code: 'PAID_BUT_VOID', subject } as const;
    if (cents === 0) await clearAttention(sql, occurrence, now);
    else await updateAttentionMessage(sql, [orderId], occurrence, paidButVoidMessage(cents));
  }
}

/** A payment, the day on which it was received, and the first `MAX_RECORDED_PAYMENTS` places where the account has it. */
export interface RecordedPlaces {
  transaction: BankTransaction;
  /** `YYYY-MM-DD`. */
  day: string;
  places: readonly RecordedPayment[];
}

export async function findPlaces(sql: Sql, transaction: BankTransaction, timeZone: string): Promise<RecordedPlaces> {
  const day = localDate(timeZone, transaction.receivedAt);
  const places = await findRecordedPayments(sql, transaction, startOfDay(timeZone, day), startOfDay(timeZone, nextDay(day)));
  return { transaction, day, places };
}

/**
 * Updates PAYMENT_REPEATED after a payment was recorded or reversed. The attention is open while the account has several payments with the
 * same id, amount and day. It appears on the orders of the first `MAX_RECORDED_PAYMENTS` of them. It ends when one payment is left, or when
 * a user resolves it (ruling 70). The caller has locked the account.
 */
export async function updateRepeatedPayment(
  sql: Transaction,
  { transaction, day, places }: RecordedPlaces,
  { isNew, now }: { isNew: boolean; now: Date },
): Promise<void> {
  const subject = subjectOf(transaction, day);
  const orders = places.length > 1 ? places.flatMap(({ order_id: orderId }) => orderId ?? []) : [];
  const message =
    `payment ${transaction.paymentId} of ${formatCents(transaction.amountCents)}, received on ${day}, is recorded ${places.length}${isAll(places) ? '' : ' or more'} times: ` +
    `${describePlaces(places)}; reverse the duplicates`;
  await Promise.all([
    !isNew && clearRepeatedPayments(sql, { ...transaction, subjects: [subject] }, orders, { name: 'service', note: null, at: now }),
    isNew && orders.length > 0 && raiseRepeatedPayment(sql, orders, subject, message, now), // before the next, because it locks the orders
    orders.length > 0 && updateAttentionMessage(sql, orders, { code: PAYMENT_REPEATED, subject }, message),
  ]);
}

/** The open PAYMENT_REPEATED attention for a payment, on all orders. */
export const findOpenRepeated = (sql: Sql, transaction: BankTransaction, timeZone: string): Promise<AttentionRow[]> =>
  findOpenRepeatedPayment(sql, transaction, subjectOf(transaction, localDate(timeZone, transaction.receivedAt)));

const subjectOf = ({ paymentId, amountCents }: BankTransaction, day: string): string => `${paymentId} ${amountCents} ${day}`;

/** The message lists at most this many places. */
const MAX_NAMED_PLACES = 5;

const isAll = (places: readonly RecordedPayment[]): boolean => places.length < MAX_RECORDED_PAYMENTS;

function describePlaces(places: readonly RecordedPayment[]): string {
  const descriptions = places
    .slice(0, MAX_NAMED_PLACES)
    .map(({ order_number: number }) => (number === null ? 'on account' : `on order ${number}`));
  return [
    ...descriptions,
    ...(places.length > MAX_NAMED_PLACES ? [`and ${isAll(places) ? places.length - MAX_NAMED_PLACES : 'many'} more`] : []),
  ].join(', ');
}
