import { callApi, studio } from '../../../api/studio';
import { Action, useReasonForm } from '../../../shared/action';
import { formatMoney } from '../../../shared/amount';
import { ReversalReason } from '../../../shared/inputs';
import { actionOf, type CreditNote as Note, dueCents, type Order, type Payment } from '../order';
import { notificationText } from '../words';

type Invoice = NonNullable<Order['invoice']>;

export function ReversePayment({ order, payment: { paymentId, amountCents } }: { order: Order; payment: Payment }) {
  const amount = formatMoney(amountCents, order.currency);
  return (
    <Action
      label="Reverse"
      target={`payment of ${amount}`}
      title={`Reverse payment of ${amount}`}
      consequences={[
        order.invoice?.state === 'void'
          ? 'The account loses its credit from this payment. You cannot reverse it if that credit is used.'
          : `${amount} becomes due again on ${order.invoice?.invoiceNumber ?? 'the invoice'}.`,
        'You cannot undo this, but you can record another payment.',
        notificationText(actionOf(order, 'payment_reversed').eventType, order),
      ]}
      repeats="safely"
      run={() => callApi(studio.DELETE('/orders/{id}/payments/{paymentId}', { params: { path: { id: order.orderId, paymentId } } }))}
      toast={() => `Payment of ${amount} reversed`}
      danger
      button={{ size: 'compact-xs' }}
    />
  );
}

/** Increases the invoice again, and takes the rest from the account's credit. */
export function ReverseCreditNote({ order, note: { creditNoteId, creditNoteNumber, amountCents } }: { order: Order; note: Note }) {
  const { currency, accountName, invoice } = order;
  const form = useReasonForm();
  const reason = form.values.reason.trim();
  const amount = formatMoney(amountCents, currency);
  const owedAgain = invoice === null ? 0 : dueAfterReversal(order, invoice, amountCents) - dueCents(order);
  const fromCredit = amountCents - owedAgain;
  return (
    <Action
      label="Reverse"
      target={`credit note ${creditNoteNumber}`}
      title={`Reverse credit note ${creditNoteNumber}`}
      consequences={[
        ...(owedAgain > 0 ? [`${formatMoney(owedAgain, currency)} becomes due again on ${invoice?.invoiceNumber ?? 'the invoice'}.`] : []),
        ...(fromCredit > 0 ? [`${formatMoney(fromCredit, currency)} is taken from the credit of ${accountName}, unless it is used.`] : []),
        'You cannot undo this, but you can issue another credit note.',
        notificationText(actionOf(order, 'credit_note_reversed').eventType, order),
      ]}
      run={(reversalId) =>
        callApi(
          studio.POST('/orders/{id}/credit-notes/{creditNoteId}/reverse', {
            params: { path: { id: order.orderId, creditNoteId } },
            body: { reversalId, reason },
          }),
        )
      }
      {...form.action}
      toast={() => `Credit note ${creditNoteNumber} of ${amount} reversed`}
      danger
      button={{ size: 'compact-xs' }}
    >
      <ReversalReason {...form.field('reason')} />
    </Action>
  );
}

const dueAfterReversal = (order: Order, invoice: Invoice, amountCents: number): number =>
  dueCents({ ...order, invoice: { ...invoice, creditedCents: invoice.creditedCents - amountCents } });
