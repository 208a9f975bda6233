import { NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../api/studio';
import { Action, TellOnce } from '../shared/action';
import type { Named } from './endpoint';
import { hostOf } from './words';

/** What messages are signed with, told once: as it is, and as libraries of Standard Webhooks want it. */
function Secrets({ secret, standardSecret }: { secret: string; standardSecret: string }) {
  return (
    <Stack>
      <Text size="sm">Give the client one of them over a safe way: with it their server checks that a message comes from us.</Text>
      <TellOnce what="The secret" secret={secret} />
      <TellOnce what="The same for libraries of Standard Webhooks" secret={standardSecret} />
    </Stack>
  );
}

/** What is shown of an endpoint that was just given a secret. */
export const showSecrets = (told: { secret: string; standardSecret: string }) => <Secrets {...told} />;

/** Gives an endpoint a new secret; for a while both are good. */
export function NewSecret({ endpoint }: { endpoint: Named }) {
  const [hours, setHours] = useState<string | number>(24);
  const host = hostOf(endpoint.url);
  return (
    <Action
      label="New secret"
      title={`A new secret for ${host}`}
      says={[
        'You are shown a new secret, once, to give to the client.',
        hours === 0
          ? 'The old one stops at once: until they have the new one, their server refuses what we send.'
          : `For ${hours} hours messages are signed with both, so that they can change it without a gap.`,
      ]}
      run={() =>
        ask(
          studio.POST('/webhook-endpoints/{id}/rotate-secret', {
            params: { path: { id: endpoint.id } },
            body: { overlapHours: Number(hours) },
          }),
        )
      }
      done={() => `${host} has a new secret`}
      result={showSecrets}
      onOpen={() => setHours(24)}
      ready={hours !== ''}
      danger={hours === 0}
    >
      <NumberInput
        label="Hours during which both are good"
        min={0}
        max={168}
        allowDecimal={false}
        value={hours}
        onChange={setHours}
        required
      />
    </Action>
  );
}
