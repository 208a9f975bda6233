import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../api/studio';
import { Action } from '../shared/action';
import type { Endpoint } from './endpoint';
import { hostOf, webhooks } from './words';

/** Enables a disabled endpoint; says what is sent then, and what is not. */
export function Enable({ endpoint }: { endpoint: Pick<Endpoint, 'id' | 'url' | 'state' | 'deliveries'> }) {
  const [skipPing, setSkipPing] = useState(false);
  const host = hostOf(endpoint.url);
  const { held } = endpoint.deliveries;
  return (
    <Action
      label="Enable"
      title={`Enable ${host}`}
      says={[
        `A ping goes to ${host} first. Where that fails, it stays disabled and you see why.`,
        'Then whatever happens to orders from now on is sent there again.',
        held === 0
          ? 'Nothing was held meanwhile, so nothing else is sent.'
          : `${webhooks(held)} held meanwhile ${held === 1 ? 'is' : 'are'} not sent by enabling it: "Recover" sends ${held === 1 ? 'it' : 'them'} afterwards.`,
      ]}
      run={() =>
        ask(studio.POST('/webhook-endpoints/{id}/enable', { params: { path: { id: endpoint.id } }, body: skipPing ? { skipPing } : {} }))
      }
      done={() => `${host} is enabled`}
      onOpen={() => setSkipPing(false)}
    >
      <Checkbox
        label="Enable it without trying it first"
        checked={skipPing}
        onChange={(event) => setSkipPing(event.currentTarget.checked)}
      />
    </Action>
  );
}
