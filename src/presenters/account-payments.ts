import type { ListedAccountPayment, PaidShare } from '../db/repositories/account-payments';
import type { AccountPaymentRow, RefundRow } from '../db/rows';

/** A payment on account: what was paid, and what of it paid no invoice and is the account's credit, in cents (studio API "Money"). */
function presentPaymentItself(payment: AccountPaymentRow) {
  return {
    paymentId: payment.payment_id,
    accountId: payment.account_id,
    environment: payment.environment,
    source: payment.source,
    amountCents: payment.amount_cents,
    unappliedCents: payment.unapplied_cents,
    receivedAt: payment.received_at.toISOString(),
    reference: payment.reference,
    createdAt: payment.created_at.toISOString(),
    reversedAt: payment.reversed_at?.toISOString() ?? null,
  };
}

/** As lists show it. */
export function presentAccountPaymentRow(payment: ListedAccountPayment) {
  return { ...presentPaymentItself(payment), invoiceCount: payment.invoice_count };
}

/** With what went to each invoice. */
export function presentAccountPayment(payment: AccountPaymentRow, shares: readonly PaidShare[]) {
  return {
    ...presentPaymentItself(payment),
    invoiceCount: shares.length,
    invoices: shares.map(({ invoice, orderNumber, amountCents }) => ({
      invoiceId: invoice.id,
      invoiceNumber: invoice.invoiceNumber,
      orderId: invoice.orderId,
      orderNumber,
      amountCents,
    })),
  };
}

/** What the audit log keeps of it. */
export function auditedAccountPayment(payment: AccountPaymentRow): Record<string, unknown> {
  const { accountId: _subject, createdAt: _at, ...kept } = presentPaymentItself(payment);
  return kept;
}

/** Credit that was paid back, in cents. */
export function presentRefund(refund: RefundRow) {
  return {
    refundId: refund.refund_id,
    accountId: refund.account_id,
    environment: refund.environment,
    amountCents: refund.amount_cents,
    reference: refund.reference,
    createdAt: refund.created_at.toISOString(),
  };
}
