import { useState } from 'react';
import { ask, studio } from '../api/studio';
import { Action } from '../shared/action';
import { AddressInput } from './AddressInput';
import type { Named } from './endpoint';
import { hostOf } from './words';

/** Sends to another address from the next attempt on. */
export function ChangeAddress({ endpoint }: { endpoint: Named }) {
  const [url, setUrl] = useState(endpoint.url);
  return (
    <Action
      label="Change address"
      labels={{ url: 'Address' }}
      title={`Change the address of ${hostOf(endpoint.url)}`}
      says={[
        'The next attempt goes to the new address, also of what is being tried already.',
        'The secret stays as it is, and the client is not told.',
      ]}
      repeats="safely"
      run={() => ask(studio.PATCH('/webhook-endpoints/{id}', { params: { path: { id: endpoint.id } }, body: { url: url.trim() } }))}
      done={(changed) => `Webhooks go to ${hostOf(changed.url)} now`}
      onOpen={() => setUrl(endpoint.url)}
      ready={url.trim() !== '' && url.trim() !== endpoint.url}
    >
      <AddressInput url={url} onChange={setUrl} />
    </Action>
  );
}
