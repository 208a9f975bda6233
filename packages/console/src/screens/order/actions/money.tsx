import { TextInput } from '@mantine/core';
import { callApi, studio } from '../../../api/studio';
import { useSession } from '../../../session/session';
import { Action, trimToUndefined, useActionForm, useReasonForm } from '../../../shared/action';
import { amountProblem, formatAmount, formatMoney, isUpTo, parseCents } from '../../../shared/amount';
import { RepeatedLine, useRepeatedLine } from '../../../shared/bank-line';
import { AmountInput, ReversalReason, WhenInput } from '../../../shared/inputs';
import { parseLocalTime, todayIn } from '../../../shared/local-time';
import { ACTIONS } from '../action-table';
import { actionOf, type CreditNote as Note, dueCents, type Order, type OrderActionProps, pathOf, type Payment } from '../order';
import { notificationText } from '../words';
import { noMoreCancel } from './consequences';

type Invoice = NonNullable<Order['invoice']>;

/** A payment for this order. A payment for several invoices is recorded on the account. */
export function RecordPayment({ order, ref }: OrderActionProps) {
  const { timeZone } = useSession();
  const { accountId, environment, currency } = order;
  const due = dueCents(order);
  const form = useActionForm(
    () => ({ amount: formatAmount(due), reference: '', receivedTime: '' }),
    ({ amount }) => ({ amount: amountProblem(amount, due, currency) }),
  );
  const { amount, reference, receivedTime } = form.values;
  const amountCents = parseCents(amount, currency);
  const isValid = isUpTo(amountCents, due);
  const day = receivedTime === '' ? todayIn(timeZone) : receivedTime.slice(0, 10);
  const duplicate = useRepeatedLine(isValid ? { accountId, environment, day, amountCents, reference: reference.trim() } : null);
  const send = (paymentId: string) => {
    duplicate.setConfirmed(true);
    const receivedAt = parseLocalTime(receivedTime, timeZone) ?? undefined;
    const body = { paymentId, amountCents: amountCents ?? 0, reference: trimToUndefined(reference), receivedAt };
    return callApi(studio.POST('/orders/{id}/payments', { params: pathOf(order), body }));
  };
  return (
    <Action
      ref={ref}
      label={ACTIONS.payment_recorded.label}
      title={`Record payment: ${order.orderNumber}`}
      consequences={[
        `${formatMoney(due, currency)} is due on invoice ${order.invoice?.invoiceNumber ?? ''}.`,
        ...noMoreCancel(order),
        notificationText(actionOf(order, 'payment_recorded').eventType, order),
      ]}
      run={send}
      {...form.action}
      onOpen={() => {
        form.action.onOpen();
        duplicate.reset();
      }}
      ready={form.action.ready && duplicate.isReady}
      toast={() => `Payment of ${formatMoney(amountCents ?? 0, currency)} recorded`}
    >
      <AmountInput label="Amount" required data-autofocus currency={currency} maxCents={due} {...form.field('amount')} />
      <TextInput label="Reference" description="The text of the bank line." maxLength={500} {...form.field('reference')} />
      <WhenInput label="Received" {...form.field('receivedTime')} />
      <RepeatedLine check={duplicate} />
    </Action>
  );
}

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
