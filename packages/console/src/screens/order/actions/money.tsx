import { Textarea, TextInput } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import { useSession } from '../../../session/session';
import { Action } from '../../../shared/action';
import { centsOf, formatMoney } from '../../../shared/amount';
import { ReversalReason, WhenInput } from '../../../shared/inputs';
import { creditedWords } from '../../../shared/money';
import { RepeatedLine, useRepeatedLine } from '../../../shared/bank-line';
import { instantOf, todayIn } from '../../../shared/zoned';
import { ACTIONS } from '../action-table';
import { actionOf, type CreditNote as Note, dueCents, type Order, pathOf } from '../order';
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
      <Textarea label="Reason" description="It stands on the credit note." required maxLength={500} {...typed('reason')} />
    </Action>
  );
}

/** Adds the amount to the invoice again; takes the account's credit for the part that the note had made credit. */
export function ReverseCreditNote({ order, note: { creditNoteId, creditNoteNumber, amountCents } }: { order: Order; note: Note }) {
  const { currency, accountName, invoice } = order;
  const { fields, typed, clear } = useFields(() => ({ reason: '' }));
  const amount = formatMoney(amountCents, currency);
  const owedAgain = invoice === null ? 0 : owedAfterReversal(order, invoice, amountCents) - dueCents(order);
  const fromCredit = amountCents - owedAgain;
  return (
    <Action
      label="Reverse"
      to={`credit note ${creditNoteNumber}`}
      title={`Reverse credit note ${creditNoteNumber}`}
      says={[
        ...(owedAgain > 0
          ? [`${formatMoney(owedAgain, currency)} is outstanding on ${invoice?.invoiceNumber ?? 'the invoice'} again.`]
          : []),
        ...(fromCredit > 0
          ? [
              `${formatMoney(fromCredit, currency)} is taken from the credit of ${accountName}. You cannot reverse the note if that credit is used.`,
            ]
          : []),
        'You cannot undo this, but you can issue another credit note.',
        whoIsTold(actionOf(order, 'credit_note_reversed').tells, order),
      ]}
      run={(reversalId) =>
        ask(
          studio.POST('/orders/{id}/credit-notes/{creditNoteId}/reverse', {
            params: { path: { id: order.orderId, creditNoteId } },
            body: { reversalId, reason: fields.reason.trim() },
          }),
        )
      }
      onOpen={clear}
      ready={fields.reason.trim() !== ''}
      done={() => `Credit note ${creditNoteNumber} of ${amount} is reversed`}
      danger
    >
      <ReversalReason {...typed('reason')} />
    </Action>
  );
}

const owedAfterReversal = (order: Order, invoice: Billed, amountCents: number): number =>
  dueCents({ ...order, invoice: { ...invoice, creditedCents: invoice.creditedCents - amountCents } });
