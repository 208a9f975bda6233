import Joi from 'joi';
import { PARCEL_FIELDS } from '../../../domain/order-message';
import type { NewParcel } from '../../../domain/order-status';
import { messageFields } from './fields';

/** Body of `POST /orders/{id}/parcels` (studio API "Endpoints"). */
export const parcelRequest = Joi.object(messageFields(PARCEL_FIELDS));
export type ParcelRequest = NewParcel;
