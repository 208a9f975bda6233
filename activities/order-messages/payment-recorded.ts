import type { PaymentRecorded } from '../../src/domain/order-messages/payment-recorded';
import { bookPayment, loadBookingBasis, storePayment, type BookingBasis, type StoredPayment } from './booking';
import type { DatabaseSteps } from './kind';

export const paymentRecorded: DatabaseSteps<PaymentRecorded, BookingBasis, StoredPayment> = {
  action: 'payment.record',
  load: loadBookingBasis,
  store(context, { paymentId, amountCents, receivedAt, reference }) {
    const { sql, orderId, now } = context;
    const written = sql.run(
      `
      INSERT INTO payments (order_id, id, amount_cents, received_at, reference, created_at, account_id, environment)
      SELECT id, $2, $3, $4, $5, $6, account_id, environment FROM orders WHERE id = $1`,
      [orderId, paymentId, amountCents, receivedAt ?? now, reference ?? null, now],
    );
    return storePayment(context, paymentId, written);
  },
  finish: (context, order, { paymentId }, basis, stored) => bookPayment(context, order, { type: 'payment', paymentId }, basis, stored),
};
