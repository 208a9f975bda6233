import { withoutPersonalData } from '../../../src/domain/personal-data';
import { MILESTONE_FIELDS } from '../../../src/domain/order-messages/fields';
import { PARCEL_FIELDS } from '../../../src/domain/order-messages/parcel-added';
import { PAYMENT_FIELDS } from '../../../src/domain/order-messages/payment-recorded';
import { tradeDocument } from '../../../src/http/openapi/trade';
import { leafFieldsOf } from './openapi';

/**
 * Fields without personal data, or needed for the order's money. New fields are added here, or to `src/domain/personal-data.ts`.
 */
const NOT_ERASED = `
  orderId orderNumber quoteId status environment currency isTest createdAt cancelledAt updatedAt promisedReadyDate whiteLabel
  productSlug productName quantity unitPriceCents amountCents subtotalCents discountCents shippingCents shippingMethod
  rushFeeCents totalCents gstCents carrier shippedAt deliveredAt milestoneId occurredAt parcelId paymentId receivedAt now blockers
  lines line code earliest latest`
  .trim()
  .split(/\s+/);

const orderFields = ['Order', 'Line'].flatMap((component) => leafFieldsOf(tradeDocument(), component));
const messageFields = [MILESTONE_FIELDS, PARCEL_FIELDS, PAYMENT_FIELDS].flatMap((fields) => Object.keys(fields));

const isErased = (field: string): boolean => JSON.stringify(withoutPersonalData({ [field]: 'PERSON' })) !== `{"${field}":"PERSON"}`;

it('every field of an order and of a message is listed as erased or as kept', () => {
  const fields = [...new Set([...orderFields, ...messageFields])];
  expect(fields.length).toBeGreaterThan(25);
  expect(fields.filter((field) => !isErased(field) && !NOT_ERASED.includes(field))).toEqual([]);
});

it('no field is listed as both', () => {
  expect(NOT_ERASED.filter(isErased)).toEqual([]);
});
