import Joi from 'joi';
import { PAYMENT_FIELDS } from '../../../domain/order-message';
import type { NewPayment } from '../../../domain/order-status';
import { messageFields } from './fields';

/** Body of `POST /orders/{id}/payments` (studio API "Endpoints"). */
export const paymentRequest = Joi.object(messageFields(PAYMENT_FIELDS));
export type PaymentRequest = NewPayment;
