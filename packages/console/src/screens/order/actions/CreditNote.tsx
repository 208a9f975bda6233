import { Textarea } from '@mantine/core';
import { ask, studio } from '../../../api/studio';
import { Action } from '../../../shared/action';
import { creditedWords } from '../../../shared/credited';
import { centsOf, formatMoney } from '../../../shared/amount';
import { ACTIONS } from '../action-table';
import { actionOf, dueCents, type Order } from '../order';
import { whoIsTold } from '../words';
import { AmountField } from './AmountField';
import { useFields } from './fields';

type Billed = NonNullable<Order['invoice']>;

/** Takes something off the invoice, or all of it; what was paid already becomes the account's credit. */
export function CreditNote({ order, invoice }: { order: Order; invoice: Billed }) {
  const { currency, accountName } = order;
  const left = invoice.amountCents - invoice.creditedCents;
  const { fields, typed, clear } = useFields(() => ({ amount: '', reason: '' }));
  const amountCents = centsOf(fields.amount);
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
        'A credit note is not taken back.',
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
