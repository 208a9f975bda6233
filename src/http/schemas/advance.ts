import Joi from 'joi';
import { PARCEL_FIELDS, SENT_PARCEL_ID } from '../../domain/order-message';
import { ORDER_STATUSES, type NewParcel, type OrderStatus } from '../../domain/order-status';
import { documented } from './documented';
import { messageField } from './message-field';
import { oneOf } from './text';

/** A tracking number stands for its parcel where no id is given, so it is no longer than one. */
const FIELDS = { ...PARCEL_FIELDS, trackingNumber: PARCEL_FIELDS.parcelId };
const parcel = Object.entries(FIELDS).map(([name, field]) => [name, messageField(field).allow(null)]);

const ONE_OF_THEM = ['to', 'parcel', 'voidParcel'] as const;
const EXACTLY_ONE = 'send exactly one of to, parcel, voidParcel';

const asked = Joi.object({
  to: oneOf(ORDER_STATUSES).description('the status it is to reach'),
  parcel: Joi.object(Object.fromEntries(parcel) as Record<string, Joi.Schema>).description(
    'a parcel that has left; what is left out is made up',
  ),
  voidParcel: messageField(SENT_PARCEL_ID).description(
    "a parcel's id, whose label is voided: its tracking number, unless it was given one",
  ),
})
  .xor(...ONE_OF_THEM)
  .messages({ 'object.missing': EXACTLY_ONE, 'object.xor': EXACTLY_ONE });

/** Body of `POST /test/orders/{id}/advance`: exactly one of the three (specification). */
export const advanceRequest = documented(asked, (told) => ({ ...told(asked), oneOf: ONE_OF_THEM.map((field) => ({ required: [field] })) }));

type Sent<T> = { [K in keyof T]?: T[K] | null };

export interface AdvanceRequest {
  to?: OrderStatus;
  parcel?: Sent<NewParcel>;
  voidParcel?: string;
}
