import { hasPayment } from '../../../db/repositories/studio-orders';
import { SENT_PAYMENT_ID } from '../../../domain/order-message';
import type { Answer } from '../../types';
import { sendOrderMessage } from '../order-messages';
import type { PaymentRequest } from '../schemas/payments';
import type { StudioRequest } from '../types';

/** `POST /orders/{id}/payments`: money received for the order's invoice, in cents. */
export function postPayment(request: StudioRequest<PaymentRequest>): Promise<Answer> {
  return sendOrderMessage(request, { ...request.body, type: 'payment_recorded' });
}

/** `DELETE /orders/{id}/payments/{paymentId}`: reverses it. */
export function deletePayment(request: StudioRequest): Promise<Answer> {
  const paymentId = request.params.paymentId ?? '';
  return sendOrderMessage(
    request,
    { type: 'payment_reversed', paymentId },
    async (orderId) => SENT_PAYMENT_ID.issue(paymentId) === null && hasPayment(request.deps.database, orderId, paymentId),
  );
}
