import { Text, TextInput } from '@mantine/core';
import { callApi, type Schema, studio } from '../api/studio';
import { Action, type ActionHandle, useActionForm } from '../shared/action';
import { amountProblem, formatMoney, isUpTo, parseCents } from '../shared/amount';
import { AmountInput } from '../shared/inputs';
import { DuplicateWarning, isRecent, useDuplicateCheck } from '../shared/duplicate-check';
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
  const readCreditNotes = async () =>
    (await callApi(studio.GET('/invoices/{id}', { params: { path: { id: invoiceNumber } } }))).creditNotes;
  const duplicate = useDuplicateCheck({
    noun: 'invoices',
    values: cents > 0 ? `${invoiceNumber} ${cents}` : null,
    find: async () =>
      (await readCreditNotes())
        .filter(({ amountCents, reversedAt, createdAt }) => amountCents === cents && reversedAt === null && isRecent(createdAt))
        .map(({ creditNoteNumber }) => creditNoteNumber),
  });
  const run = (creditNoteId: string) => {
    duplicate.setConfirmed(true);
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
      subject={invoiceNumber}
      run={run}
      find={async (creditNoteId) => (await readCreditNotes()).some((note) => note.creditNoteId === creditNoteId)}
      toast={() => `Credit note for ${invoiceNumber} issued`}
      {...form.action}
      ready={form.action.ready && duplicate.isReady}
      onOpen={duplicate.reset}
    >
      <AmountInput label="Amount, with GST" currency={currency} maxCents={maxCents} withAsterisk data-autofocus {...form.field('amount')} />
      <TextInput label="Reason" withAsterisk maxLength={500} description="Shown on the credit note." {...form.field('reason')} />
      <DuplicateWarning title="Possible duplicate" label="This is another credit note" check={duplicate}>
        Credit note {duplicate.duplicates.join(', ')} with this amount was issued within the last ten minutes.
      </DuplicateWarning>
      {isUpTo(cents, maxCents) && (
        <Text size="sm" role="status">
          {AMOUNT_DUE} afterwards: {formatMoney(Math.max(0, dueCents - cents), currency)}.{' '}
          {cents > dueCents && <b>{formatMoney(cents - dueCents, currency)} becomes credit of the account.</b>}
        </Text>
      )}
    </Action>
  );
}
