import { TextInput } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import { useSession } from '../../../session/session';
import { Action } from '../../../shared/action';
import { centsOf, formatMoney } from '../../../shared/amount';
import { WhenInput } from '../../../shared/when-input';
import { instantOf } from '../../../shared/zoned';
import { ACTIONS } from '../action-table';
import { actionOf, dueCents, type Order, pathOf } from '../order';
import { whoIsTold } from '../words';
import { AmountField, amountText } from './AmountField';
import { noMoreCancel } from './consequences';
import { given, useFields } from './fields';

/** Money that came in for this order alone; what pays several invoices is recorded at the account. */
export function RecordPayment({ order }: { order: Order }) {
  const { timeZone } = useSession();
  const due = dueCents(order);
  const { fields, set, typed, clear } = useFields(() => ({ amount: amountText(due), reference: '', at: '' }));
  const amountCents = centsOf(fields.amount);
  const send = (paymentId: string) =>
    ask(
      studio.POST('/orders/{id}/payments', {
        params: pathOf(order),
        body: {
          paymentId,
          amountCents: amountCents ?? 0,
          reference: given(fields.reference),
          receivedAt: instantOf(fields.at, timeZone) ?? undefined,
        },
      }),
    );
  return (
    <Action
      label={ACTIONS.payment_recorded.label}
      title={`A payment for ${order.orderNumber}`}
      says={[
        `It is recorded on invoice ${order.invoice?.invoiceNumber ?? ''}, of which ${formatMoney(due, order.currency)} is outstanding.`,
        ...noMoreCancel(order),
        'One payment over several invoices is recorded at the account instead.',
        whoIsTold(actionOf(order, 'payment_recorded').tells, order),
      ]}
      run={send}
      onOpen={clear}
      ready={amountCents !== null && amountCents > 0 && amountCents <= due}
      done={() => `A payment of ${formatMoney(amountCents ?? 0, order.currency)} is recorded`}
    >
      <AmountField currency={order.currency} most={due} of="is outstanding" {...typed('amount')} />
      <TextInput label="Reference" description="Of the bank line, to find it again." maxLength={500} {...typed('reference')} />
      <WhenInput label="When it came in" value={fields.at} set={(at) => set('at', at)} />
    </Action>
  );
}
