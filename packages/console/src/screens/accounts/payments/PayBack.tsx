import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../../api/studio';
import type { Environment } from '../../../api/types';
import { Action } from '../../../shared/action';
import { centsOf, formatMoney } from '../../../shared/amount';
import type { Account } from '../draft';

/** Records credit that was paid back to the client. */
export function PayBack({ account, environment, currency }: { account: Account; environment: Environment; currency: string }) {
  const [typed, setTyped] = useState('');
  const [reference, setReference] = useState('');
  const { creditCents } = account[environment];
  const amountCents = centsOf(typed);
  const fits = amountCents !== null && amountCents > 0 && amountCents <= creditCents;
  const open = (): void => {
    setTyped(formatMoney(creditCents, '').trim());
    setReference('');
  };
  const run = (refundId: string) => {
    const body = { refundId, environment, amountCents: amountCents ?? 0, reference: reference.trim() || null };
    return ask(studio.POST('/accounts/{id}/refunds', { params: { path: { id: account.id } }, body }));
  };
  return (
    <Action
      label="Pay back"
      title={`Pay credit back to ${account.name}`}
      says={[
        'This records what you paid back from the studio’s bank account. It moves no money itself.',
        'The account’s credit becomes less by it. It cannot be taken back here. The client is not told.',
      ]}
      run={run}
      done={(refund) => `${formatMoney(refund.amountCents, currency)} paid back`}
      ready={fits}
      onOpen={open}
    >
      <TextInput
        label={`Amount, in ${currency}`}
        inputMode="decimal"
        required
        data-autofocus
        description={`It has ${formatMoney(creditCents, currency)} in credit.`}
        error={typed !== '' && !fits && `An amount up to ${formatMoney(creditCents, currency)}`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <TextInput
        label="Reference"
        description="Stands on the statement. May be left out."
        maxLength={500}
        value={reference}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
    </Action>
  );
}
