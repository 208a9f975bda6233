import { Checkbox, Group, Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { callApi, type Environment, studio } from '../api/studio';
import { Action, useActionForm } from '../shared/action';
import { LimitedNumberInput, WHOLE } from '../shared/number-input';
import { type OrderStatus, STATUSES } from '../shared/progress';
import { SecretOnce } from '../shared/secret';
import { CLIENT_NOT_NOTIFIED } from '../shared/words';
import { type Endpoint, eventWords, hostOf } from './words';

/** Null means the types of a status. Types that this build does not know stay selected. */
type EventTypes = (`order.${OrderStatus}` | (typeof ISSUE_EVENTS)[number])[] | null;
const STATUS_EVENTS = STATUSES.map((status) => `order.${status}` as const);
const ISSUE_EVENTS = ['order.issue_raised', 'order.issue_resolved'] as const;
const EVENT_TYPES = [...STATUS_EVENTS, ...ISSUE_EVENTS];

const useEndpointForm = (initial: Pick<Endpoint, 'url' | 'eventTypes' | 'environment'>) =>
  useActionForm(
    () => ({ url: initial.url, eventTypes: initial.eventTypes as EventTypes, environment: initial.environment }),
    ({ url, eventTypes }) => ({ url: url.trim() === '' && 'Enter a URL', eventTypes: eventTypes?.length === 0 && 'Select an event' }),
  );

function EndpointFields({ form: { field, values } }: { form: ReturnType<typeof useEndpointForm> }) {
  return (
    <>
      <TextInput
        label="URL"
        description="Public https URL, such as https://shop.example.com/webhooks"
        type="url"
        data-autofocus
        required
        {...field('url')}
      />
      <Radio.Group
        label="Events"
        {...field('eventTypes')}
        value={values.eventTypes === null ? 'all' : 'some'}
        onChange={(value) => field('eventTypes').onChange(value === 'all' ? null : STATUS_EVENTS)}
      >
        <Group mt={4}>
          <Radio value="all" label="All statuses" />
          <Radio value="some" label="Selected events" />
        </Group>
      </Radio.Group>
      {values.eventTypes !== null && (
        <Checkbox.Group
          label="Selected events"
          {...field('eventTypes')}
          value={values.eventTypes}
          error={values.eventTypes.length === 0 && 'Select at least one event'}
        >
          <Group mt={4}>
            {EVENT_TYPES.map((type) => (
              <Checkbox key={type} value={type} label={eventWords(type)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </>
  );
}

export function AddEndpoint({ account, environment }: { account: { id: string; name: string }; environment: Environment }) {
  const form = useEndpointForm({ url: '', eventTypes: null, environment });
  const body = { ...form.values, url: form.values.url.trim() };
  return (
    <Action
      label="Add endpoint"
      labels={{ url: 'URL' }}
      consequences={[
        `Sends events of ${body.environment} orders of ${account.name} to this URL from now on.`,
        'The next step shows the signing secret once. Give it to the client.',
      ]}
      run={() => callApi(studio.POST('/accounts/{id}/webhook-endpoints', { params: { path: { id: account.id } }, body }))}
      toast={(endpoint) => `Webhooks now go to ${hostOf(endpoint.url)}`}
      result={showSecrets}
      {...form.action}
    >
      <EndpointFields form={form} />
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

export function EditEndpoint({ endpoint }: { endpoint: Endpoint }) {
  const form = useEndpointForm(endpoint);
  const { url, eventTypes } = form.values;
  const host = hostOf(endpoint.url);
  // The API looks up the host of a URL, which may be down now.
  const body = { eventTypes, ...(url.trim() !== endpoint.url && { url: url.trim() }) };
  return (
    <Action
      label="Edit"
      confirm="Save"
      title={`Edit ${host}`}
      labels={{ url: 'URL' }}
      consequences={[
        'Pending and new webhooks go to this URL. The secret stays the same.',
        'The selected events apply from now on. Pending webhooks are still sent.',
        CLIENT_NOT_NOTIFIED,
      ]}
      retry="safe"
      run={() => callApi(studio.PATCH('/webhook-endpoints/{id}', { params: { path: { id: endpoint.id } }, body }))}
      toast={() => `${host} updated`}
      {...form.action}
    >
      <EndpointFields form={form} />
    </Action>
  );
}

function showSecrets({ secret, standardSecret }: { secret: string; standardSecret: string }) {
  const remedy = 'If it gets lost, create a new secret.';
  return (
    <Stack>
      <Text size="sm">The client’s server verifies events with this secret. Send the client the form that their code needs.</Text>
      <SecretOnce name="For code that follows our webhook guide" secret={secret} remedy={remedy} />
      <SecretOnce name="For Standard Webhooks libraries" secret={standardSecret} remedy={remedy} />
    </Stack>
  );
}

export function NewSecret({ endpoint: { id, url } }: { endpoint: Endpoint }) {
  const form = useActionForm(
    () => ({ hours: 24 as string | number }),
    ({ hours }) => ({ hours: hours === '' && 'Enter the hours' }),
  );
  const { hours } = form.values;
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
      {...form.action}
      danger={hours === 0}
    >
      <LimitedNumberInput label="Keep the old secret for (hours)" min={0} max={168} {...WHOLE} required {...form.field('hours')} />
    </Action>
  );
}
