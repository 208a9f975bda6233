import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../../api/studio';
import { Action } from '../../../shared/action';
import type { Healthy } from './Endpoint';

/** Sends to another address of the same client. */
export function ChangeUrl({ endpoint }: { endpoint: Healthy }) {
  const [url, setUrl] = useState(endpoint.url);
  const next = url.trim();
  return (
    <Action
      label="Change URL"
      says={[
        `Now ${endpoint.url}. The next attempt of everything that waits goes to the new one; the secret stays. The client is not told.`,
      ]}
      run={() => ask(studio.PATCH('/webhook-endpoints/{id}', { params: { path: { id: endpoint.id } }, body: { url: next } }))}
      done={() => 'The URL is changed'}
      ready={next !== '' && next !== endpoint.url}
      onOpen={() => setUrl(endpoint.url)}
    >
      <TextInput
        label="New URL"
        required
        data-autofocus
        maxLength={2000}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
    </Action>
  );
}
