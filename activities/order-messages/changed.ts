import { claimIdempotencyKey, storeIdempotencyRecord } from '../../src/db/repositories/idempotency';
import { lockArtwork } from '../../src/db/repositories/order-artwork';
import { findChange, storeOrderChange, type ChangeToApply } from '../../src/db/repositories/order-changes';
import { LIMITS } from '../../src/domain/limits';
import type { Changed } from '../../src/domain/order-messages/changed';
import { MAX_ORDER_TEXT_BYTES } from '../../src/domain/order-texts';
import { priceRefusal, withChange } from '../../src/domain/pricing/order-change';
import { remadeChangeRefusal } from '../../src/domain/remakes';
import { keyReused } from '../../src/orders/idempotency';
import { successBody } from '../../src/presenters/envelope';
import { presentOrder } from '../../src/presenters/orders';
import { newId } from '../../src/security/ids';
import type { Refusal, DatabaseSteps } from './kind';

export const changed: DatabaseSteps<Changed, ChangeToApply | null> = {
  action: 'order.change',
  locksUploads: true,
  /** The stored response lists missing artwork, so no file arrives until it is stored. */
  async load(sql, orderId, { changeId }) {
    const [, change] = await Promise.all([lockArtwork(sql, orderId, null), findChange(sql, orderId, changeId)]);
    return change;
  },
  /** Checks the idempotency key, the price by the price book of the order's quote, and the total size of the order's changes. */
  async check({ deps, sql, before, now }, { changeId }, change): Promise<Refusal | null> {
    if (before.remake_of !== null) return { refused: remadeChangeRefusal(before.remake_of) };
    if (change === null) return { refused: `the order has no change ${changeId}; send the request again` };
    if (!(await claimIdempotencyKey(sql, change, now))) {
      const { code, message: refused } = keyReused();
      return { code, refused };
    }
    if (change.stored_bytes + change.own_bytes > MAX_ORDER_TEXT_BYTES)
      return {
        refused: `the changes of this order use ${change.stored_bytes} of ${MAX_ORDER_TEXT_BYTES} bytes, and this change adds ${change.own_bytes}; contact the studio`,
      };
    const { shippingAddress } = change.content;
    if (shippingAddress === undefined) return null;
    const priced = {
      parcels: change.parcels,
      shippingMethod: change.shipping_method,
      shippingCents: change.shipping_cents,
      totalCents: change.total_cents,
      gstCents: change.gst_cents,
    };
    const refusal = priceRefusal(await deps.priceBooks.read(sql, change.pricing_version), priced, shippingAddress);
    if (refusal === null) return null;
    const { reason: refused, ...details } = refusal;
    return { refused, ...details };
  },
  /** Applies the change to the order's row and its quote. */
  async store({ sql, orderId, now }, { changeId }, change) {
    if (change === null) return;
    const current = {
      shippingAddress: change.shipping_address,
      lines: change.lines,
      specialInstructions: change.special_instructions,
      reference: change.reference,
    };
    const { changed: values, replaced } = withChange(current, change.content);
    await storeOrderChange(sql, { changeId, quoteId: change.quote_id, orderId }, values, replaced, now);
  },
  /** Stores the response with the change. A repeated request then gets the same bytes, even after a crash. */
  async finish({ sql, now }, order, _message, change) {
    if (change === null) return;
    const { accountId, idempotencyKey, fingerprint } = change;
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
  },
};
