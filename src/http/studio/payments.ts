import Joi from 'joi';
import { hasPayment } from '../../db/repositories/studio-orders';
import { PAYMENT_FIELDS, SENT_PAYMENT_ID } from '../../domain/order-message';
import type { NewPayment } from '../../domain/order-status';
import type { Answer } from '../types';
import { messageFields } from './support/fields';
import { sendOrderMessage } from './support/order-messages';
import { STUDIO_ORDER } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

/** Body of `POST /orders/{id}/payments` (studio API "Endpoints"). */
export const paymentRequest = Joi.object(messageFields(PAYMENT_FIELDS));

type PaymentRequest = NewPayment;

export const PAYMENTS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/orders/:id/payments',
    role: 'office',
    body: paymentRequest,
    id: 'recordPayment',
    summary: "Record money received for the order's invoice",
    description: 'Safe to repeat by `paymentId`.',
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'TEMPORAL_AWAY'],
    requestExample: { paymentId: 'bank-2026-03-05/7', amountCents: 8425, reference: 'Harbour Gallery March' },
    handler: postPayment,
  },
  {
    method: 'DELETE',
    path: '/orders/:id/payments/:paymentId',
    role: 'office',
    id: 'reversePayment',
    summary: 'Reverse a payment',
    description:
      'Of a cancelled order it takes away the credit that the payment had become. Where that has been used, the credit becomes negative: the account owes it.',
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'TEMPORAL_AWAY'],
    handler: deletePayment,
  },
];

/** `POST /orders/{id}/payments`: money received for the order's invoice, in cents. */
function postPayment(request: StudioRequest<PaymentRequest>): Promise<Answer> {
  return sendOrderMessage(request, { ...request.body, type: 'payment_recorded' });
}

/** `DELETE /orders/{id}/payments/{paymentId}`: reverses it. */
function deletePayment(request: StudioRequest): Promise<Answer> {
  const paymentId = request.params.paymentId ?? '';
  return sendOrderMessage(
    request,
    { type: 'payment_reversed', paymentId },
    async (orderId) => SENT_PAYMENT_ID.issue(paymentId) === null && hasPayment(request.deps.database, orderId, paymentId),
  );
}
