import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../../api/studio';
import type { Of } from '../../../api/types';
import { Action } from '../../../shared/action';
import { creditedWords } from '../../../shared/credited';
import { centsOf, formatMoney } from '../../../shared/amount';

/** Writes a credit note, up to what of the invoice has not been credited yet. */
export function CreditNote({ invoice }: { invoice: Of<'WholeInvoice'> }) {
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const { invoiceNumber, currency, dueCents } = invoice;
  const mostCents = invoice.state === 'void' ? 0 : invoice.amountCents - invoice.creditedCents;
  const cents = centsOf(typed);
  const fits = cents !== null && cents > 0 && cents <= mostCents;
  const run = async (creditNoteId: string): Promise<string> => {
    const body = { creditNoteId, amountCents: cents ?? 0, reason: reason.trim() };
    // Said of what was to be paid before: live changes may bring the invoice as it is then before it is said.
    const words = creditedWords({ cents: body.amountCents, dueCents, currency });
    await ask(studio.POST('/invoices/{id}/credit-notes', { params: { path: { id: invoiceNumber } }, body }));
    return words;
  };
  if (mostCents <= 0) return null;
  const open = (): void => {
    setTyped('');
    setReason('');
  };
  return (
    <Action
      label="Write a credit note"
      title={`Write a credit note for ${invoiceNumber}`}
      says={[
        'It takes off what is to be paid; what has been paid already becomes credit of the account.',
        'The client is told nothing by itself: send the PDF. A credit note cannot be taken back.',
      ]}
      run={run}
      done={(words) => `${invoiceNumber} has a credit note: ${words}`}
      ready={fits && reason.trim() !== ''}
      onOpen={open}
    >
      <TextInput
        label={`Amount, in ${currency}, with GST`}
        inputMode="decimal"
        required
        data-autofocus
        description={`At most ${formatMoney(mostCents, currency)}`}
        error={typed !== '' && !fits && `An amount up to ${formatMoney(mostCents, currency)}, such as 12.50`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <TextInput
        label="Reason"
        required
        maxLength={500}
        description="Stands on the credit note."
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {fits && <Becomes cents={cents} dueCents={dueCents} currency={currency} />}
    </Action>
  );
}

function Becomes({ cents, dueCents, currency }: { cents: number; dueCents: number; currency: string }) {
  const taken = Math.min(cents, dueCents);
  const rest = cents - taken;
  return (
    <Text size="sm" role="status">
      Still to pay afterwards: {formatMoney(dueCents - taken, currency)}.{' '}
      {rest > 0 && <b>{formatMoney(rest, currency)} becomes credit of the account.</b>}
    </Text>
  );
}
