import { List, Text } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../../api/studio';
import { Action } from '../../../shared/action';
import { AccountForm } from '../AccountForm';
import { changesOf, draftOf, fieldsOf, type Account, type Change } from '../draft';

/** Changes an account's details; what would change stands below, and nothing else is sent. */
export function EditAccount({ account, currency }: { account: Account; currency: string }) {
  const [draft, setDraft] = useState(() => draftOf(account));
  const fields = fieldsOf(draft);
  const changes = fields === null ? [] : changesOf(account, fields, currency);
  const run = () => {
    const body = Object.fromEntries(changes.map(({ field }) => [field, fields?.[field]]));
    return ask(studio.PATCH('/accounts/{id}', { params: { path: { id: account.id } }, body }));
  };
  return (
    <Action
      label="Change details"
      title={`Change ${account.name}`}
      says={[
        'It counts from their next price and order. Prices that were given and orders that were placed stay as they are. The client is not told.',
      ]}
      repeats="safely"
      run={run}
      done={({ name }) => `${name} is changed`}
      ready={changes.length > 0}
      onOpen={() => setDraft(draftOf(account))}
    >
      <AccountForm draft={draft} change={(part) => setDraft({ ...draft, ...part })} currency={currency} />
      <Changes changes={changes} />
    </Action>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        {changes.length === 0 ? 'Nothing would change yet.' : 'What changes'}
      </Text>
      <List size="sm">
        {changes.map(({ field, name, before, after }) => (
          <List.Item key={field}>
            {name}: {before} → <b>{after}</b>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
