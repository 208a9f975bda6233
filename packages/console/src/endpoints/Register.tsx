import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../api/studio';
import type { Environment } from '../api/types';
import { Action } from '../shared/action';
import { AddressInput } from './AddressInput';
import { showSecrets } from './Secret';
import { hostOf } from './words';

/** Registers where an account's webhooks go, and shows the secret they are signed with. */
export function Register({ account, environment: chosen }: { account: { id: string; name: string }; environment: Environment }) {
  const [url, setUrl] = useState('');
  const [environment, setEnvironment] = useState(chosen);
  return (
    <Action
      label="Register an endpoint"
      labels={{ url: 'Address' }}
      says={[
        `Whatever happens from now on to ${environment} orders of ${account.name} is told to that address.`,
        'You are shown its secret, once, to give to the client.',
      ]}
      run={() =>
        ask(
          studio.POST('/accounts/{id}/webhook-endpoints', {
            params: { path: { id: account.id } },
            body: { environment, url: url.trim() },
          }),
        )
      }
      done={(made) => `Webhooks go to ${hostOf(made.url)} now`}
      result={showSecrets}
      onOpen={() => {
        setUrl('');
        setEnvironment(chosen);
      }}
      ready={url.trim() !== ''}
    >
      <AddressInput url={url} onChange={setUrl} />
      <SegmentedControl
        aria-label="Of which orders it hears"
        value={environment}
        onChange={(value) => setEnvironment(value as Environment)}
        data={[
          { value: 'live', label: 'Live orders' },
          { value: 'test', label: 'Test orders' },
        ]}
      />
    </Action>
  );
}
