import { NumberInput, SegmentedControl, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { callApi, type Environment, studio } from '../api/studio';
import { Action, useActionForm } from '../shared/action';
import { SecretOnce } from '../shared/secret';
import { choiceOf, chosenTypes, EventTypesInput, isChosen } from './event-types';
import { type EndpointRef, hostOf } from './words';

interface RegisterProps {
  account: { id: string; name: string };
  environment: Environment;
}

export function AddEndpoint({ account, environment: initial }: RegisterProps) {
  const form = useActionForm(
    () => ({ url: '', environment: initial, choice: choiceOf(null) }),
    (values) => ({ url: values.url.trim() === '' && 'Enter a URL', choice: !isChosen(values.choice) && 'Select an event' }),
  );
  const { url, environment, choice } = form.values;
  const body = { environment, url: url.trim(), eventTypes: chosenTypes(choice) };
  return (
    <Action
      label="Add endpoint"
      labels={{ url: 'URL' }}
      consequences={[
        `Sends events of ${environment} orders of ${account.name} to this URL from now on.`,
        'The next step shows the signing secret once. Give it to the client.',
      ]}
      run={() => callApi(studio.POST('/accounts/{id}/webhook-endpoints', { params: { path: { id: account.id } }, body }))}
      toast={(endpoint) => `Webhooks now go to ${hostOf(endpoint.url)}`}
      result={showSecrets}
      {...form.action}
    >
      <UrlInput {...form.field('url')} />
      <EventTypesInput {...form.field('choice')} />
      <SegmentedControl
        aria-label="Environment"
        {...form.field('environment')}
        data={[
          { value: 'live', label: 'Live orders' },
          { value: 'test', label: 'Test orders' },
        ]}
      />
    </Action>
  );
}

export function UrlInput(props: TextInputProps) {
  return (
    <TextInput
      label="URL"
      description="Public https URL, such as https://shop.example.com/webhooks"
      type="url"
      data-autofocus
      required
      {...props}
    />
  );
}

const IF_SECRET_LOST = 'If it gets lost, create a new secret.';

function showSecrets({ secret, standardSecret }: { secret: string; standardSecret: string }) {
  return (
    <Stack>
      <Text size="sm">The client’s server verifies events with this secret. Send the client the form that their code needs.</Text>
      <SecretOnce name="For code that follows our webhook guide" secret={secret} remedy={IF_SECRET_LOST} />
      <SecretOnce name="For Standard Webhooks libraries" secret={standardSecret} remedy={IF_SECRET_LOST} />
    </Stack>
  );
}

export function NewSecret({ endpoint: { id, url } }: { endpoint: EndpointRef }) {
  const [hours, setHours] = useState<string | number>(24);
  const host = hostOf(url);
  const body = { overlapHours: Number(hours) };
  return (
    <Action
      label="New secret"
      title={`New secret for ${host}`}
      consequences={[
        'The next step shows the new secret once. Give it to the client.',
        hours === 0
          ? 'The old secret stops working now. The client’s server rejects events until it has the new one.'
          : `Events are signed with both secrets for ${hours} hours.`,
      ]}
      run={() => callApi(studio.POST('/webhook-endpoints/{id}/rotate-secret', { params: { path: { id } }, body }))}
      toast={() => `New secret created for ${host}`}
      result={showSecrets}
      onOpen={() => setHours(24)}
      ready={hours !== ''}
      notReady="Enter the hours"
      danger={hours === 0}
    >
      <NumberInput
        label="Keep the old secret for (hours)"
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
