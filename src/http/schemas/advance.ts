import Joi from 'joi';
import { PARCEL_FIELDS } from '../../domain/order-message';
import { ORDER_STATUSES, type NewParcel, type OrderStatus } from '../../domain/order-status';
import { checked, oneOf } from './text';

const parcel = Object.entries(PARCEL_FIELDS).map(([name, { form, issue }]) => [name, checked(form, issue).allow(null)]);

/** Body of `POST /test/orders/{id}/advance`: exactly one of the three (specification). */
export const advanceRequest = Joi.object({
  to: oneOf(ORDER_STATUSES).description('the status it is to reach'),
  parcel: Joi.object(Object.fromEntries(parcel) as Record<string, Joi.Schema>).description(
    'a parcel that has left; what is left out is made up',
  ),
  voidParcel: checked(PARCEL_FIELDS.parcelId.form, PARCEL_FIELDS.parcelId.issue).description(
    "a parcel's id, whose label is voided: its tracking number, unless it was given one",
  ),
});

type Sent<T> = { [K in keyof T]?: T[K] | null };

export interface AdvanceRequest {
  to?: OrderStatus;
  parcel?: Sent<NewParcel>;
  voidParcel?: string;
}
