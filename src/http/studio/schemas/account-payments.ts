import Joi from 'joi';
import { MAX_MONEY_CENTS, MAX_NAMED_INVOICES, PAYMENT_SOURCES, type NamedShare, type PaymentSource } from '../../../domain/account-payment';
import { ENVIRONMENTS, LIMITS, type Environment } from '../../../domain/limits';
import { OWN_ID, PAYMENT_FIELDS } from '../../../domain/order-message';
import { messageField } from '../../schemas/message-field';
import { integer, oneOf, text } from '../../schemas/text';
import { messageFields } from './fields';

const { receivedAt, reference } = messageFields(PAYMENT_FIELDS);
const amountCents = integer(1, MAX_MONEY_CENTS).required();
const environment = oneOf(ENVIRONMENTS).required();

const share = Joi.object({
  invoiceId: text(1, LIMITS.identifierLength).required().description('its id or its number'),
  amountCents,
});

/** Body of `POST /accounts/{id}/payments` (studio API "Endpoints", ruling 54). */
export const accountPaymentRequest = Joi.object({
  paymentId: messageField(OWN_ID).required(),
  environment,
  source: oneOf(PAYMENT_SOURCES).description('credit: of what the account has; money unless said otherwise'),
  amountCents,
  receivedAt,
  reference,
  invoices: Joi.array()
    .items(share)
    .max(MAX_NAMED_INVOICES)
    .description('what goes to which; left out, the oldest are paid first, and with an empty list none: the rest is credit'),
});

export interface AccountPaymentRequest {
  paymentId: string;
  environment: Environment;
  source?: PaymentSource;
  amountCents: number;
  receivedAt?: string | null;
  reference?: string | null;
  invoices?: NamedShare[];
}

/** Body of `POST /accounts/{id}/refunds`. */
export const refundRequest = Joi.object({ refundId: messageField(OWN_ID).required(), environment, amountCents, reference });

export interface RefundRequest {
  refundId: string;
  environment: Environment;
  amountCents: number;
  reference?: string | null;
}
