import type { PaymentRecorded } from '../../src/domain/order-messages/payment-recorded';
import { bookPayment } from './booking';
import type { StoredKind } from './kind';

export const paymentRecorded: StoredKind<PaymentRecorded> = {
  action: 'payment.record',
  store: ({ sql, orderId, now }, { paymentId, amountCents, receivedAt, reference }) =>
    sql.run(
      `
      INSERT INTO payments (order_id, id, amount_cents, received_at, reference, created_at, account_id, environment)
      SELECT id, $2, $3, $4, $5, $6, account_id, environment FROM orders WHERE id = $1
      ON CONFLICT DO NOTHING`,
      [orderId, paymentId, amountCents, receivedAt ?? now, reference ?? null, now],
    ),
  finish: (context, order, { paymentId }) => bookPayment(context, order, { type: 'payment', paymentId }),
};
