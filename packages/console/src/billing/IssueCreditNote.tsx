import { Text, TextInput } from '@mantine/core';
import { callApi, type Schema, studio } from '../api/studio';
import { Action, type ActionHandle, useActionForm } from '../shared/action';
import { amountProblem, formatMoney, isUpTo, parseCents } from '../shared/amount';
import { AmountInput } from '../shared/inputs';
import { AMOUNT_DUE, CLIENT_NOT_NOTIFIED } from '../shared/words';

interface IssueCreditNoteProps {
  invoice: Pick<Schema<'WholeInvoice'>, 'invoiceNumber' | 'state' | 'currency' | 'amountCents' | 'creditedCents' | 'dueCents'>;
  ref?: React.Ref<ActionHandle> | undefined;
}

/** Reduces the invoice. An amount above the outstanding one becomes credit of the account. */
export function IssueCreditNote({ invoice, ref }: IssueCreditNoteProps) {
  const { invoiceNumber, currency, dueCents } = invoice;
  const maxCents = invoice.state === 'void' ? 0 : invoice.amountCents - invoice.creditedCents;
  const form = useActionForm(
    () => ({ amount: '', reason: '' }),
    ({ amount, reason }) => ({
      amount: amountProblem(amount, maxCents, currency),
      reason: reason.trim() === '' && 'Enter a reason',
    }),
  );
  const cents = parseCents(form.values.amount, currency) ?? 0;
  const run = (creditNoteId: string) => {
    const body = { creditNoteId, amountCents: cents, reason: form.values.reason.trim() };
    return callApi(studio.POST('/invoices/{id}/credit-notes', { params: { path: { id: invoiceNumber } }, body }));
  };
  if (maxCents <= 0) return null;
  return (
    <Action
      ref={ref}
      label="Issue credit note"
      title={`Issue credit note for ${invoiceNumber}`}
      consequences={[`Reduces the amount due. Any paid part becomes credit of the account. ${CLIENT_NOT_NOTIFIED} Send the PDF.`]}
      run={run}
      toast={() => `Credit note for ${invoiceNumber} issued`}
      {...form.action}
    >
      <AmountInput label="Amount, with GST" currency={currency} maxCents={maxCents} withAsterisk data-autofocus {...form.field('amount')} />
      <TextInput label="Reason" withAsterisk maxLength={500} description="Shown on the credit note." {...form.field('reason')} />
      {isUpTo(cents, maxCents) && (
        <Text size="sm" role="status">
          {AMOUNT_DUE} afterwards: {formatMoney(Math.max(0, dueCents - cents), currency)}.{' '}
          {cents > dueCents && <b>{formatMoney(cents - dueCents, currency)} becomes credit of the account.</b>}
        </Text>
      )}
    </Action>
  );
}
