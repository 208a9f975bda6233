import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../../../api/studio';
import { Action } from '../../../shared/action';
import type { Healthy } from './Endpoint';
import { Secrets, type TwoSecrets } from './Secrets';

const MOST_HOURS = 168;

/** Gives an endpoint a new secret; the old one goes on for a while, so that the client has time. */
export function Rotate({ endpoint: { id, url } }: { endpoint: Healthy }) {
  const [typed, setTyped] = useState('24');
  const hours = /^\d{1,3}$/.test(typed.trim()) && Number(typed) <= MOST_HOURS ? Number(typed) : null;
  const run = () =>
    ask(studio.POST('/webhook-endpoints/{id}/rotate-secret', { params: { path: { id } }, body: { overlapHours: hours ?? 0 } }));
  return (
    <Action
      label="New secret"
      title={`A new secret for ${url}`}
      says={[
        'The new secret is shown in the next step, this one time. Until the overlap ends both sign, so the client can change without missing anything.',
        'The client is not told: send it the new one. Sent again, this makes yet another.',
      ]}
      run={run}
      done={() => 'The secret is new'}
      ready={hours !== null}
      onOpen={() => setTyped('24')}
      result={shownOnce}
    >
      <TextInput
        label="Both sign for, in hours"
        inputMode="numeric"
        required
        description="0: the old one ends at once, such as when it was seen by others."
        error={hours === null && `A whole number from 0 to ${MOST_HOURS}`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Action>
  );
}

const shownOnce = (answer: TwoSecrets) => <Secrets of={answer} next="Send it to the client by a way you trust, before the overlap ends." />;
