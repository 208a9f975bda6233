import Joi from 'joi';
import { MILESTONE_TYPES, type MilestoneType, type NewParcel, type NewPayment } from '../../domain/order-status';
import { textExcept, timestamp, webUrl } from './studio-fields';
import { integer, oneOf, optionalText, text } from './text';

/** Ids the service makes of parcel and payment ids, and of an account's cancel. */
const RESERVED_IDS = /^(parcel|parcel-void|payment|payment-reversal|cancel):/;

/** Studio API "Endpoints", bounds as in `src/domain/order-message.ts`. */
export const milestoneRequest = Joi.object({
  milestoneId: textExcept(1, 200, RESERVED_IDS, 'must not begin with parcel:, parcel-void:, payment:, payment-reversal: or cancel:').required(),
  type: oneOf(MILESTONE_TYPES).required(),
  note: optionalText(2000),
  occurredAt: timestamp().allow(null),
});

export interface MilestoneRequest {
  milestoneId: string;
  type: MilestoneType;
  note?: string | null;
  occurredAt?: string | null;
}

export const parcelRequest = Joi.object({
  parcelId: text(1, 100).required(),
  trackingNumber: text(1, 200).required(),
  carrier: optionalText(100),
  trackingUrl: webUrl(2000).allow(null),
  shippedAt: timestamp().allow(null),
});
export type ParcelRequest = NewParcel;

export const paymentRequest = Joi.object({
  paymentId: text(1, 100).required(),
  amountCents: integer(1, Number.MAX_SAFE_INTEGER).required(),
  receivedAt: timestamp().allow(null),
  reference: optionalText(500),
});
export type PaymentRequest = NewPayment;
