import type { PaymentReversed } from '../../src/domain/order-messages/payment-reversed';
import { updatePaidButVoid } from '../../src/orders/money-attention';
import { bookPayment, loadBookingBasis, storePayment, type BookingBasis, type StoredPayment } from './booking';
import type { DatabaseSteps } from './kind';

/** Never fails for lack of credit. */
export const paymentReversed: DatabaseSteps<PaymentReversed, BookingBasis, StoredPayment> = {
  action: 'payment.reverse',
  load: loadBookingBasis,
  store(context, { paymentId, reason }) {
    const { sql, orderId, now } = context;
    const written = sql.run(
      'UPDATE payments SET reversed_at = $3, reversal_reason = $4 WHERE order_id = $1 AND id = $2 AND reversed_at IS NULL',
      [orderId, paymentId, now, reason ?? null],
    );
    return storePayment(context, paymentId, written);
  },
  async finish(context, order, { paymentId }, basis, stored) {
    const { sql, orderId, facts, now } = context;
    if (facts.baseStatus === 'cancelled') await updatePaidButVoid(sql, [orderId], now);
    await bookPayment(context, order, { type: 'reversal', paymentId }, basis, stored);
  },
};
