import { NumberInput, SegmentedControl, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { ask, studio } from '../api/studio';
import type { Environment } from '../api/types';
import { Action } from '../shared/action';
import { useFields } from '../shared/fields';
import { SecretOnce } from '../shared/secret';
import { choiceOf, chosenTypes, EventTypesInput, isChosen } from './event-types';
import { hostOf, type Named } from './words';

export function Register({ account, environment: chosen }: { account: { id: string; name: string }; environment: Environment }) {
  const { fields, set, typed, clear } = useFields(() => ({ url: '', environment: chosen, choice: choiceOf(null) }));
  const { url, environment, choice } = fields;
  return (
    <Action
      label="Register an endpoint"
      labels={{ url: 'Address' }}
      says={[
        `From now on the events of ${environment} orders of ${account.name} go to that address.`,
        'You are shown its secret, once, to give to the client.',
      ]}
      run={() =>
        ask(
          studio.POST('/accounts/{id}/webhook-endpoints', {
            params: { path: { id: account.id } },
            body: { environment, url: url.trim(), eventTypes: chosenTypes(choice) },
          }),
        )
      }
      done={(made) => `Webhooks go to ${hostOf(made.url)} now`}
      result={showSecrets}
      onOpen={clear}
      ready={url.trim() !== '' && isChosen(choice)}
    >
      <AddressInput {...typed('url')} />
      <EventTypesInput choice={choice} onChange={(next) => set('choice', next)} />
      <SegmentedControl
        aria-label="Of which orders it hears"
        value={environment}
        onChange={(value) => set('environment', value as Environment)}
        data={[
          { value: 'live', label: 'Live orders' },
          { value: 'test', label: 'Test orders' },
        ]}
      />
    </Action>
  );
}

export function AddressInput(field: TextInputProps) {
  return (
    <TextInput
      label="Address"
      description="Public https, with a name, such as https://shop.example.com/webhooks"
      type="url"
      data-autofocus
      required
      {...field}
    />
  );
}

const REMEDY = 'Should it get lost, give the endpoint a new secret.';

/** What messages are signed with, told once: as it is, and as libraries of Standard Webhooks want it. */
function Secrets({ secret, standardSecret }: { secret: string; standardSecret: string }) {
  return (
    <Stack>
      <Text size="sm">
        With it their server checks that a message comes from us. It is one secret, written in two ways: give the client, over a safe way,
        the first where their program was written from our guide, the second where it uses a library of Standard Webhooks.
      </Text>
      <SecretOnce name="For programs written from our guide" secret={secret} remedy={REMEDY} />
      <SecretOnce name="For libraries of Standard Webhooks" secret={standardSecret} remedy={REMEDY} />
    </Stack>
  );
}

const showSecrets = (told: { secret: string; standardSecret: string }) => <Secrets {...told} />;

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
