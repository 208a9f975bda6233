import { Textarea, TextInput } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import { useSession } from '../../../session/session';
import { Action } from '../../../shared/action';
import { centsOf, formatMoney } from '../../../shared/amount';
import { WhenInput } from '../../../shared/inputs';
import { creditedWords } from '../../../shared/money';
import { RepeatedLine, useRepeatedLine } from '../../../shared/bank-line';
import { instantOf, todayIn } from '../../../shared/zoned';
import { ACTIONS } from '../action-table';
import { actionOf, dueCents, type Order, pathOf } from '../order';
import { whoIsTold } from '../words';
import { noMoreCancel } from './consequences';
import { given, useFields } from '../../../shared/fields';
import { AmountField, amountText } from './fields';

/** Money that came in for this order alone; what pays several invoices is recorded at the account. */
export function RecordPayment({ order }: { order: Order }) {
  const { timeZone } = useSession();
  const due = dueCents(order);
  const { fields, typed, clear } = useFields(() => ({ amount: amountText(due), reference: '', at: '' }));
  const amountCents = centsOf(fields.amount, order.currency);
  const isPayable = amountCents !== null && amountCents > 0 && amountCents <= due;
  const { accountId, environment } = order;
  const day = fields.at === '' ? todayIn(timeZone) : fields.at.slice(0, 10);
  const doubt = useRepeatedLine(isPayable ? { accountId, environment, day, amountCents, reference: fields.reference.trim() } : null);
  const send = (paymentId: string) => {
    doubt.setSure(true);
    return ask(
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
  };
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
      onOpen={() => {
        clear();
        doubt.reset();
      }}
      ready={isPayable && doubt.isReady}
      done={() => `A payment of ${formatMoney(amountCents ?? 0, order.currency)} is recorded`}
    >
      <AmountField currency={order.currency} most={due} of="is outstanding" {...typed('amount')} />
      <TextInput label="Reference" description="Of the bank line, to find it again." maxLength={500} {...typed('reference')} />
      <WhenInput label="When it came in" {...typed('at')} />
      <RepeatedLine doubt={doubt} />
    </Action>
  );
}

type Billed = NonNullable<Order['invoice']>;

/** Takes something off the invoice, or all of it; what was paid already becomes the account's credit. */
export function CreditNote({ order, invoice }: { order: Order; invoice: Billed }) {
  const { currency, accountName } = order;
  const left = invoice.amountCents - invoice.creditedCents;
  const { fields, typed, clear } = useFields(() => ({ amount: '', reason: '' }));
  const amountCents = centsOf(fields.amount, currency);
  const send = async (creditNoteId: string): Promise<string> => {
    const words = creditedWords({ cents: amountCents ?? 0, dueCents: dueCents(order), currency });
    await ask(
      studio.POST('/invoices/{id}/credit-notes', {
        params: { path: { id: invoice.invoiceNumber } },
        body: { creditNoteId, amountCents: amountCents ?? 0, reason: fields.reason.trim() },
      }),
    );
    return words;
  };
  return (
    <Action
      label={ACTIONS.credit_noted.label}
      title={`A credit note on ${invoice.invoiceNumber}`}
      says={[
        `It takes the amount off what is outstanding (${formatMoney(dueCents(order), currency)}); what goes beyond that becomes credit of ${accountName}.`,
        whoIsTold(actionOf(order, 'credit_noted').tells, order),
      ]}
      run={send}
      onOpen={clear}
      ready={amountCents !== null && amountCents > 0 && amountCents <= left && fields.reason.trim() !== ''}
      done={(words) => `A credit note is written: ${words}. Its PDF is beside the invoice`}
    >
      <AmountField currency={currency} most={left} of="can still be credited" {...typed('amount')} />
      <Textarea
        label="Reason"
        description="It stands on the credit note."
        required
        autosize
        minRows={2}
        maxLength={500}
        {...typed('reason')}
      />
    </Action>
  );
}
