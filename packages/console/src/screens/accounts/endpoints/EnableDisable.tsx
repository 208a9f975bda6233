import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../../api/studio';
import { Action } from '../../../shared/action';
import type { Healthy } from './Endpoint';

/** Sends there again. */
export function Enable({ endpoint: { id, url } }: { endpoint: Healthy }) {
  const [skipPing, setSkip] = useState(false);
  return (
    <Action
      label="Enable"
      title={`Enable ${url}`}
      says={[
        'It is pinged first, and stays disabled where that fails.',
        'What happens from now on is sent again. What was held stays so until you recover it.',
      ]}
      run={() => ask(studio.POST('/webhook-endpoints/{id}/enable', { params: { path: { id } }, body: { skipPing } }))}
      done={() => 'The endpoint is enabled'}
      onOpen={() => setSkip(false)}
    >
      <Checkbox label="Enable it without a ping" checked={skipPing} onChange={(event) => setSkip(event.currentTarget.checked)} />
    </Action>
  );
}

/** Stops sending there, for a while. */
export function Disable({ endpoint: { id, url } }: { endpoint: Healthy }) {
  const [reason, setReason] = useState('');
  const body = reason.trim() === '' ? {} : { reason: reason.trim() };
  return (
    <Action
      label="Disable"
      title={`Disable ${url}`}
      danger
      says={[
        'Nothing is sent there until it is enabled. What happens meanwhile, and what is still being tried, is held: nothing is lost.',
        'The client is not told.',
      ]}
      run={() => ask(studio.POST('/webhook-endpoints/{id}/disable', { params: { path: { id } }, body }))}
      done={() => 'The endpoint is disabled'}
      onOpen={() => setReason('')}
    >
      <TextInput
        label="Reason"
        description="Shown with the endpoint; may be left out."
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Action>
  );
}
