import { findRemake, insertRemake, lockOriginal, findNextSeries } from '../db/repositories/remakes';
import { loadOrderState } from '../db/repositories/orders';
import { toRemakeFacts, type StudioJobRow } from '../db/repositories/studio-orders';
import type { AuditEntry } from '../db/repositories/audit';
import type { PricingTermsReader } from '../db/repositories/pricing-terms';
import type { Clock } from '../clock';
import type { Database, Sql } from '../db/database';
import { pickAddressFields, checkDestination } from '../domain/basket/destination';
import type { ShippingAddress } from '../domain/basket/quote-request';
import { canonicalJson } from '../domain/canonical-json';
import { ApiError, validationError } from '../domain/errors';
import { readPieces, type LinePieces } from '../domain/line-pieces';
import { remakeNumber } from '../domain/order-number';
import { remadeLineIssues, remakeRefusal } from '../domain/remakes';
import { sha256 } from '../security/fingerprint';
import { newId } from '../security/ids';
import type { NewOrder } from '../temporal/orders';

/** What is to be made again, and where it goes; null: where the original went. */
export interface RemakeRequest {
  originalId: string;
  remakeId: string;
  lines: LinePieces[];
  reason: string;
  shippingAddress: ShippingAddress | null;
}

/** A new remake with what its workflow starts with, or the one that was made under this id before. */
export type RemakeResult = { orderId: string } | { orderId: string; start: Omit<NewOrder, 'requestId'> };

/**
 * Makes lines of an order again, inside a transaction: an order with a number of its own, on the same artwork and selections, and nothing
 * to pay. The original is locked, so that two at once are one after the other (ruling 57).
 * @returns null where there is no such order
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
  const lines = readPieces(request.lines);
  const series = await findNextSeries(sql, original.id);
  const remake = {
    order_id: newId('ord'),
    original_id: original.id,
    series,
    remake_id: request.remakeId,
    digest,
    reason: request.reason,
    lines,
    jobs: selectLines(original.jobs, lines),
    shipping_address:
      request.shippingAddress === null ? original.shipping_address : pickAddressFields(checkDestination(request.shippingAddress)),
  };
  const orderNumber = remakeNumber(original.order_number, series);
  const freeLines = selectLines(original.lines, lines).map((line) => ({ ...line, unitPriceCents: 0, amountCents: 0 }));
  await insertRemake(sql, remake, { orderNumber, lines: freeLines, dueDate, now });
  return { orderId: remake.order_id, start: await loadStart(sql, remake.order_id) };
}

/** The same in a transaction of its own, for the owner of a test order: the audit log has what the studio does. */
export function remakeTestOrder(
  { database, clock, pricingTerms }: { database: Database; clock: Clock; pricingTerms: Pick<PricingTermsReader, 'standardDueDate'> },
  request: RemakeRequest,
): Promise<RemakeResult | null> {
  return database.transaction(async (sql) => {
    const now = clock.now();
    return remakeOrder(sql, request, { dueDate: await pricingTerms.standardDueDate(sql, now), now });
  });
}

/** What was sent, whatever the order of its lines. */
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

function assertRemakeable(original: StudioJobRow, lines: LinePieces[]): void {
  const refusal = remakeRefusal(toRemakeFacts(original));
  if (refusal !== null) throw new ApiError('REMAKE_REFUSED', refusal);
  const issues = remadeLineIssues(lines, original.lines);
  if (issues.length > 0) throw validationError(issues);
}

/** Each chosen line as it was ordered, as often as it is made again. */
function selectLines<T extends { quantity: number }>(ordered: readonly T[], lines: readonly LinePieces[]): T[] {
  return lines.map(({ line, quantity }) => ({ ...(ordered[line] as T), quantity }));
}

async function loadStart(sql: Sql, orderId: string) {
  const state = await loadOrderState(sql, orderId);
  if (state === null) throw new Error(`remake ${orderId} was not stored`);
  return { orderId, state };
}

/** For the audit log, which takes no address; the reason is erased there with the remake. */
export function auditedRemake(
  { originalId, remakeId, lines, reason, shippingAddress }: RemakeRequest,
  { orderId, state }: Omit<NewOrder, 'requestId'>,
): AuditEntry {
  const after = { remakeOf: originalId, orderNumber: state.orderNumber, remakeId, lines, reason, otherAddress: shippingAddress !== null };
  return { action: 'order.remake', subject: orderId, before: null, after };
}
