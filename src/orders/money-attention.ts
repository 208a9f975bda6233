import type { Sql } from '../db/database';
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

/** What is said of a void invoice of which so much is paid, in cents. */
export const paidButVoidMessage = (cents: number): string => `the invoice is void, and ${formatCents(cents)} have been paid on it`;

/** After payments were reversed: PAID_BUT_VOID says what is still paid on each order, and ends where nothing is (ruling 47). */
export async function updatePaidButVoid(sql: Sql, orderIds: readonly string[], now: Date): Promise<void> {
  for (const { order_id: orderId, subject, cents } of await findOpenPaidButVoid(sql, orderIds)) {
    const occurrence = { orderId, code: 'PAID_BUT_VOID', subject } as const;
    if (cents === 0) await clearAttention(sql, occurrence, now);
    else await updateAttentionMessage(sql, [orderId], occurrence, paidButVoidMessage(cents));
  }
}

/**
 * After a payment was recorded or reversed: PAYMENT_REPEATED is open wherever a payment of the account with the same id, amount and day
 * stands, on the first `MAX_PLACES` of them, until one of two is reversed or a person resolves it (ruling 70). The account is locked.
 */
export async function updateRepeatedPayment(
  sql: Sql,
  line: BankTransaction,
  { isNew, timeZone, now }: { isNew: boolean; timeZone: string; now: Date },
): Promise<void> {
  const day = localDate(timeZone, line.receivedAt);
  const subject = subjectOf(line, day);
  const places = await findRecordedPayments(sql, line, startOfDay(timeZone, day), startOfDay(timeZone, nextDay(day)));
  const orders = places.length > 1 ? places.flatMap(({ order_id: orderId }) => orderId ?? []) : [];
  if (!isNew) await clearRepeatedPayments(sql, { ...line, subjects: [subject] }, orders, { name: 'service', note: null, at: now });
  if (orders.length === 0) return;
  const message =
    `payment ${line.paymentId} of ${formatCents(line.amountCents)}, received on ${day}, is recorded ${places.length}${isAll(places) ? '' : ' or more'} times: ` +
    `${describePlaces(places)}; reverse it where it is not a payment of its own`;
  if (isNew) await raiseRepeatedPayment(sql, orders, subject, message, now); // first, because it waits for the orders
  await updateAttentionMessage(sql, orders, { code: PAYMENT_REPEATED, subject }, message);
}

/** What is open about a payment that is recorded elsewhere too, on whichever order it stands. */
export const findOpenRepeated = (sql: Sql, line: BankTransaction, timeZone: string): Promise<AttentionRow[]> =>
  findOpenRepeatedPayment(sql, line, subjectOf(line, localDate(timeZone, line.receivedAt)));

const subjectOf = ({ paymentId, amountCents }: BankTransaction, day: string): string => `${paymentId} ${amountCents} ${day}`;

/** How many places the message names. */
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
