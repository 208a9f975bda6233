import type { Sql } from '../db/database';
import { clearAttention, openPaidButVoid, restateAttention } from '../db/repositories/attention';
import {
  clearRepeated,
  MAX_PLACES,
  openRepeated,
  placesOfLine,
  raiseRepeated,
  REPEATED,
  type BankLine,
  type RecordedAt,
} from '../db/repositories/repeated-payments';
import type { AttentionRow } from '../db/rows';
import { formatCents } from '../domain/money';
import { localDate, nextDay, startOfDay } from '../domain/pricing/ready-date';

/** What is said of a void invoice of which so much is paid, in cents. */
export const paidButVoid = (cents: number): string => `the invoice is void, and ${formatCents(cents)} have been paid on it`;

/** After payments were reversed: PAID_BUT_VOID says what is still paid on each order, and ends where nothing is (ruling 47). */
export async function restatePaidButVoid(sql: Sql, orderIds: readonly string[], now: Date): Promise<void> {
  for (const { order_id: orderId, subject, cents } of await openPaidButVoid(sql, orderIds)) {
    const occurrence = { orderId, code: 'PAID_BUT_VOID', subject } as const;
    if (cents === 0) await clearAttention(sql, occurrence, now);
    else await restateAttention(sql, [orderId], occurrence, paidButVoid(cents));
  }
}

/**
 * After a payment was recorded or reversed: PAYMENT_REPEATED is open wherever a payment of the account with the same id, amount and day
 * stands, on the first `MAX_PLACES` of them, until one of two is reversed or a person resolves it (ruling 70). The account is locked.
 */
export async function attendToRepeated(
  sql: Sql,
  line: BankLine,
  { isNew, timeZone, now }: { isNew: boolean; timeZone: string; now: Date },
): Promise<void> {
  const day = localDate(timeZone, line.receivedAt);
  const subject = subjectOf(line, day);
  const places = await placesOfLine(sql, line, startOfDay(timeZone, day), startOfDay(timeZone, nextDay(day)));
  const orders = places.length > 1 ? places.flatMap(({ order_id: orderId }) => orderId ?? []) : [];
  if (!isNew) await clearRepeated(sql, { ...line, subjects: [subject] }, orders, { name: 'service', note: null, at: now });
  if (orders.length === 0) return;
  const message =
    `payment ${line.paymentId} of ${formatCents(line.amountCents)}, received on ${day}, is recorded ${places.length}${isAll(places) ? '' : ' or more'} times: ` +
    `${describePlaces(places)}; reverse it where it is not a payment of its own`;
  if (isNew) await raiseRepeated(sql, orders, subject, message, now); // first, because it waits for the orders
  await restateAttention(sql, orders, { code: REPEATED, subject }, message);
}

/** What is open about a payment that is recorded elsewhere too, on whichever order it stands. */
export const openAbout = (sql: Sql, line: BankLine, timeZone: string): Promise<AttentionRow[]> =>
  openRepeated(sql, line, subjectOf(line, localDate(timeZone, line.receivedAt)));

const subjectOf = ({ paymentId, amountCents }: BankLine, day: string): string => `${paymentId} ${amountCents} ${day}`;

/** How many places the message names. */
const NAMED = 5;

const isAll = (places: readonly RecordedAt[]): boolean => places.length < MAX_PLACES;

function describePlaces(places: readonly RecordedAt[]): string {
  const named = places.slice(0, NAMED).map(({ order_number: number }) => (number === null ? 'on account' : `on order ${number}`));
  return [...named, ...(places.length > NAMED ? [`and ${isAll(places) ? places.length - NAMED : 'many'} more`] : [])].join(', ');
}
