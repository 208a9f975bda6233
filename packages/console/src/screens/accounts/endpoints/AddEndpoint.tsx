import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../../api/studio';
import type { Environment } from '../../../api/types';
import { useEnvironment } from '../../../session/environment';
import { Action } from '../../../shared/action';
import type { Account } from '../draft';
import { Secrets, type TwoSecrets } from './Secrets';

/** Adds an endpoint and shows its secret, once. */
export function AddEndpoint({ account }: { account: Account }) {
  const [shown] = useEnvironment();
  const [environment, setEnvironment] = useState<Environment>(shown);
  const [url, setUrl] = useState('https://');
  const open = (): void => {
    setEnvironment(shown);
    setUrl('https://');
  };
  const run = () =>
    ask(studio.POST('/accounts/{id}/webhook-endpoints', { params: { path: { id: account.id } }, body: { environment, url: url.trim() } }));
  return (
    <Action
      label="Add an endpoint"
      title={`Add an endpoint for ${account.name}`}
      says={[
        'From now on whatever happens to an order is told there. Nothing that happened before is sent.',
        'Its secret is shown in the next step, this one time: the client needs it to know that a message is the studio’s.',
      ]}
      run={run}
      done={() => 'The endpoint is added'}
      ready={url.trim().length > 'https://'.length}
      onOpen={open}
      result={shownOnce}
      button={{ variant: 'filled' }}
    >
      <Stack gap="sm">
        <NativeSelect
          label="For"
          value={environment}
          onChange={(event) => setEnvironment(event.currentTarget.value as Environment)}
          data={[
            { value: 'live', label: 'Live orders' },
            { value: 'test', label: 'Test orders' },
          ]}
        />
        <TextInput
          label="URL"
          required
          data-autofocus
          description="A public https:// address that the client gave you."
          maxLength={2000}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      </Stack>
    </Action>
  );
}

const shownOnce = (answer: TwoSecrets) => (
  <Secrets of={answer} next="Send it to the client by a way you trust; then “Ping” shows whether it answers." />
);
