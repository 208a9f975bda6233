import Joi from 'joi';
import { MILESTONE_FIELDS, PARCEL_FIELDS, PAYMENT_FIELDS, type MessageField } from '../../../domain/order-message';
import { MILESTONE_TYPES, type MilestoneType, type NewParcel, type NewPayment } from '../../../domain/order-status';
import { checked } from './fields';
import { oneOf, withKind } from '../../schemas/text';

/** The fields of a message as signals have them (`src/domain/order-message.ts`): one list for both ways. */
function messageFields(fields: Readonly<Record<string, MessageField>>): Record<string, Joi.Schema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { optional, issue, form }]) => {
      const schema = withKind(checked(issue), form);
      return [name, optional ? schema.allow(null) : schema.required()];
    }),
  );
}

/** Body of `POST /orders/{id}/milestones` (studio API "Endpoints"). */
export const milestoneRequest = Joi.object({ ...messageFields(MILESTONE_FIELDS), type: oneOf(MILESTONE_TYPES).required() });

export interface MilestoneRequest {
  milestoneId: string;
  type: MilestoneType;
  note?: string | null;
  occurredAt?: string | null;
}

export const parcelRequest = Joi.object(messageFields(PARCEL_FIELDS));
export type ParcelRequest = NewParcel;

export const paymentRequest = Joi.object(messageFields(PAYMENT_FIELDS));
export type PaymentRequest = NewPayment;
