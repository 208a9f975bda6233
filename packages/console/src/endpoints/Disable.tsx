import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../api/studio';
import { Action } from '../shared/action';
import type { Named } from './endpoint';
import { hostOf } from './words';

/** Stops sending to an endpoint; nothing is lost. */
export function Disable({ endpoint }: { endpoint: Named }) {
  const [reason, setReason] = useState('');
  const host = hostOf(endpoint.url);
  const told = reason.trim();
  return (
    <Action
      label="Disable"
      title={`Disable ${host}`}
      says={[
        `Nothing is sent to ${host} any more until somebody enables it. The client is not told.`,
        'What is still being tried, and what happens from now on, is held for them: nothing is lost.',
      ]}
      repeats="safely"
      run={() =>
        ask(
          studio.POST('/webhook-endpoints/{id}/disable', {
            params: { path: { id: endpoint.id } },
            body: told === '' ? {} : { reason: told },
          }),
        )
      }
      done={() => `${host} is disabled`}
      onOpen={() => setReason('')}
      danger
    >
      <TextInput
        label="Why"
        description="Shown with the endpoint; may be left empty."
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Action>
  );
}
