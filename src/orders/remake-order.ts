import { findRemake, insertRemake, lockOriginal, findNextSequenceNumber } from '../db/repositories/remakes';
import { loadOrderState } from '../db/repositories/orders';
import { toRemakeFacts, type StudioJobRow } from '../db/repositories/studio-orders';
import type { AuditEntry } from '../db/repositories/audit';
import type { StudioCalendar } from '../db/repositories/studio-calendar';
import type { Clock } from '../platform/clock';
import type { Database, Sql } from '../db/database';
import { pickAddressFields, checkDestination } from '../domain/basket/destination';
import type { ShippingAddress } from '../domain/basket/quote-request';
import { canonicalJson } from '../domain/canonical-json';
import { ApiError, validationError } from '../domain/errors';
import { toLineQuantities, type LineQuantity } from '../domain/line-quantities';
import { remakeNumber } from '../domain/order-number';
import { remadeLineIssues, remakeRefusal } from '../domain/remakes';
import { sha256 } from '../security/fingerprint';
import { newId } from '../security/ids';
import type { NewOrder } from '../temporal/orders';

export interface RemakeRequest {
  originalId: string;
  remakeId: string;
  lines: LineQuantity[];
  reason: string;
  /** Null for the address of the original order. */
  shippingAddress: ShippingAddress | null;
}

/** A new remake with the initial state of its workflow, or the existing remake with this id. */
export type RemakeResult = { orderId: string } | { orderId: string; start: Omit<NewOrder, 'requestId'> };

/**
 * Remakes lines of an order within a transaction. The remake has its own number, the same artwork and selections, and costs nothing. The
 * original is locked, so concurrent remakes run one after another.
 * @returns null if the order does not exist
 * @throws ApiError REMAKE_ID_REUSED, REMAKE_REFUSED, VALIDATION_ERROR, SHIPPING_ADDRESS_INCOMPLETE
 */
export async function remakeOrder(
  sql: Sql,
  request: RemakeRequest,
  { dueDate, now }: { dueDate: string; now: Date },
): Promise<RemakeResult | null> {
  const original = await lockOriginal(sql, request.originalId);
  if (original === null) return null;
  const digest = digestOf(request);
  const existing = await findRemake(sql, original.id, request.remakeId);
  if (existing !== null) return resultOfRepeat(existing, digest, request);
  assertRemakeable(original, request.lines);
  const lines = toLineQuantities(request.lines);
  const sequenceNumber = await findNextSequenceNumber(sql, original.id);
  const remake = {
    order_id: newId('ord'),
    original_id: original.id,
    sequence: sequenceNumber,
    remake_id: request.remakeId,
    digest,
    reason: request.reason,
    lines,
    jobs: selectLines(original.jobs, lines),
    shipping_address:
      request.shippingAddress === null ? original.shipping_address : pickAddressFields(checkDestination(request.shippingAddress)),
  };
  const orderNumber = remakeNumber(original.order_number, sequenceNumber);
  const freeLines = selectLines(original.lines, lines).map((line) => ({ ...line, unitPriceCents: 0, amountCents: 0 }));
  await insertRemake(sql, remake, { orderNumber, lines: freeLines, dueDate, now });
  return { orderId: remake.order_id, start: await loadNewOrder(sql, remake.order_id) };
}

/** Remakes a test order for its account in a separate transaction. Writes no audit entry, because the audit log records only the studio. */
export function remakeTestOrder(
  { database, clock, calendar }: { database: Database; clock: Clock; calendar: StudioCalendar },
  request: RemakeRequest,
): Promise<RemakeResult | null> {
  return database.transaction(async (sql) => {
    const now = clock.now();
    return remakeOrder(sql, request, { dueDate: await calendar.standardDueDate(sql, now), now });
  });
}

/** A digest of the request that ignores the sequence of its lines. */
function digestOf({ lines, reason, shippingAddress }: RemakeRequest): string {
  const sorted = lines.toSorted((a, b) => a.line - b.line || a.quantity - b.quantity);
  return sha256(
    canonicalJson({ lines: sorted, reason, shippingAddress: shippingAddress === null ? null : pickAddressFields(shippingAddress) }),
  );
}

function resultOfRepeat(
  { order_id: orderId, digest }: { order_id: string; digest: string },
  requestDigest: string,
  { remakeId }: RemakeRequest,
): RemakeResult {
  if (digest === requestDigest) return { orderId };
  throw new ApiError('REMAKE_ID_REUSED', `the id ${remakeId} was used for another remake of this order; send a new id`);
}

function assertRemakeable(original: StudioJobRow, lines: LineQuantity[]): void {
  const refusal = remakeRefusal(toRemakeFacts(original));
  if (refusal !== null) throw new ApiError('REMAKE_REFUSED', refusal);
  const issues = remadeLineIssues(lines, original.lines);
  if (issues.length > 0) throw validationError(issues);
}

/** Each selected line as ordered, in the quantity of the remake. */
function selectLines<T extends { quantity: number }>(ordered: readonly T[], lines: readonly LineQuantity[]): T[] {
  return lines.map(({ line, quantity }) => ({ ...(ordered[line] as T), quantity }));
}

async function loadNewOrder(sql: Sql, orderId: string) {
  const state = await loadOrderState(sql, orderId);
  if (state === null) throw new Error(`remake ${orderId} was not stored`);
  return { orderId, state };
}

/** Creates a remake's audit entry, without the address. An erasure of the order also erases the reason in this entry. */
export function createRemakeAuditEntry(
  { originalId, remakeId, lines, reason, shippingAddress }: RemakeRequest,
  { orderId, state }: Omit<NewOrder, 'requestId'>,
): AuditEntry {
  const after = { remakeOf: originalId, orderNumber: state.orderNumber, remakeId, lines, reason, otherAddress: shippingAddress !== null };
  return { action: 'order.remake', subject: orderId, before: null, after };
}
