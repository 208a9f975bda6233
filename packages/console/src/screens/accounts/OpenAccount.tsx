import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask, studio } from '../../api/studio';
import { Action } from '../../shared/action';
import { AccountForm } from './AccountForm';
import { EMPTY, fieldsOf, termsInWords, type Draft } from './draft';

const CURRENCY = 'AUD';

/** Opens an account and goes to it, where its key and its endpoint come next. */
export function OpenAccount() {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const navigate = useNavigate();
  const fields = fieldsOf(draft);
  const run = async (accountRequestId: string) => {
    if (fields === null) throw new Error('Fill in what is missing.');
    const account = await ask(studio.POST('/accounts', { body: { accountRequestId, ...fields } }));
    await navigate({ to: '/accounts/$account', params: { account: account.id } });
    return account;
  };
  return (
    <Action
      label="Open an account"
      says={[
        'The client is not told. It can order as soon as it has a key, which an admin makes for it.',
        ...(fields === null ? [] : [termsInWords(fields, CURRENCY)]),
      ]}
      run={run}
      done={({ name }) => `${name} has an account`}
      ready={fields !== null}
      onOpen={() => setDraft(EMPTY)}
      button={{ variant: 'filled' }}
    >
      <AccountForm draft={draft} change={(part) => setDraft({ ...draft, ...part })} currency={CURRENCY} />
    </Action>
  );
}
