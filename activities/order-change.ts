import type { Sql } from '../src/db/database';
import { storeIdempotencyRecord, claimIdempotencyKey } from '../src/db/repositories/idempotency';
import { findChange, storeChange, type ChangeToApply } from '../src/db/repositories/order-changes';
import type { OrderWithRelations } from '../src/db/rows';
import type { ErrorCode } from '../src/domain/errors';
import { LIMITS } from '../src/domain/limits';
import { MAX_ORDER_TEXT_BYTES } from '../src/domain/order-texts';
import { priceRefusal, applyChange, type ChangeRefusal } from '../src/domain/pricing/order-change';
import { keyReused } from '../src/orders/idempotency';
import { successBody } from '../src/presenters/envelope';
import { presentOrder } from '../src/presenters/orders';
import { newId } from '../src/security/ids';
import type { ActivityDeps } from './deps';

/** An accepted change of the client, loaded on its locked order. */
export type AcceptedChange = ChangeToApply & { changeId: string };

/**
 * Checks a client's change: the idempotency key, the price by the price book of the order's quote, and the total size of the order's
 * changes.
 */
export async function assessChange(
  { priceBooks, clock }: Pick<ActivityDeps, 'priceBooks' | 'clock'>,
  sql: Sql,
  orderId: string,
  changeId: string,
): Promise<{ accepted: AcceptedChange } | (ChangeRefusal & { code?: ErrorCode })> {
  const change = await findChange(sql, orderId, changeId);
  if (change === null) return { reason: `the order has no change ${changeId}; send the request again` };
  if (!(await claimIdempotencyKey(sql, change, clock.now()))) {
    const { code, message: reason } = keyReused();
    return { code, reason };
  }
  if (change.stored_bytes + change.own_bytes > MAX_ORDER_TEXT_BYTES)
    return {
      reason: `the changes of this order use ${change.stored_bytes} of ${MAX_ORDER_TEXT_BYTES} bytes, and this change adds ${change.own_bytes}; contact the studio`,
    };
  const { shippingAddress } = change.content;
  if (shippingAddress === undefined) return { accepted: { ...change, changeId } };
  const priced = {
    parcels: change.parcels,
    shippingMethod: change.shipping_method,
    shippingCents: change.shipping_cents,
    totalCents: change.total_cents,
    gstCents: change.gst_cents,
  };
  return priceRefusal(await priceBooks.read(sql, change.pricing_version), priced, shippingAddress) ?? { accepted: { ...change, changeId } };
}

/** Applies the change to the order's row and its quote. */
export async function applyClientChange(sql: Sql, orderId: string, change: AcceptedChange, now: Date): Promise<void> {
  const { changed, replaced } = applyChange(
    { shippingAddress: change.shipping_address, lines: change.lines, specialInstructions: change.special_instructions },
    change.content,
  );
  await storeChange(sql, { changeId: change.changeId, quoteId: change.quote_id, orderId }, changed, replaced, now);
}

/** Stores the response with the change. A repeated request then gets the same bytes, even after a crash. */
export async function storeResponse(
  sql: Sql,
  { accountId, idempotencyKey, fingerprint }: AcceptedChange,
  order: OrderWithRelations,
  now: Date,
) {
  await storeIdempotencyRecord(sql, {
    accountId,
    idempotencyKey,
    fingerprint,
    id: newId('idm'),
    orderId: order.id,
    status: 200,
    body: successBody(presentOrder(order)),
    now,
    expiresAt: new Date(now.getTime() + LIMITS.idempotencyLifetimeMs),
  });
}
