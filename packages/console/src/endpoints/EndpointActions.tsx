import { Checkbox, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { Refusal } from '../api/refusal';
import { callApi, type Schema, studio } from '../api/studio';
import { Action, ActionButtons, trimToUndefined, useActionForm } from '../shared/action';
import { CLIENT_NOT_NOTIFIED } from '../shared/words';
import { EditEndpoint, NewSecret } from './EndpointForms';
import type { EndpointWithHealth } from './health';
import { ResendFailed, SendPending } from './Resend';
import { countWebhooks, type Endpoint, errorWords, hostOf, remedyOf } from './words';

/** The actions for delivery problems; with `all`, also those that change the endpoint. */
export function EndpointActions({ endpoint, all = false }: { endpoint: EndpointWithHealth; all?: boolean }) {
  return (
    <Group gap="xs" role="group" aria-label={`Actions for ${hostOf(endpoint.url)}`}>
      <ActionButtons shown={endpoint.state === 'disabled'}>
        <Enable endpoint={endpoint} />
      </ActionButtons>
      <Ping endpoint={endpoint} />
      <ActionButtons shown={endpoint.state === 'enabled' && endpoint.health.pending > 0}>
        <SendPending endpoint={endpoint} />
      </ActionButtons>
      <ResendFailed endpoint={endpoint} />
      {all && <EditEndpoint endpoint={endpoint} />}
      {all && <NewSecret endpoint={endpoint} />}
      <ActionButtons shown={endpoint.state === 'enabled'}>
        <Disable endpoint={endpoint} />
      </ActionButtons>
      {all && <Delete endpoint={endpoint} />}
    </Group>
  );
}

function Ping({ endpoint: { id, url } }: { endpoint: Endpoint }) {
  const host = hostOf(url);
  return (
    <Action
      label="Ping"
      title={`Ping ${host}`}
      consequences={['Sends a signed test event and shows the response. No order is affected.']}
      run={() => callApi(studio.POST('/webhook-endpoints/{id}/ping', { params: { path: { id } } }))}
      toast={(ping) => `${host}: ${outcomeOf(ping)}`}
      result={(ping) => (
        <Stack gap="xs" role="status">
          <Text fw={600}>{outcomeOf(ping)}</Text>
          <Text size="sm">
            {ping.totalMs.toLocaleString('en-AU')} ms. {remedyOf(ping.errorCode)}
          </Text>
          <Response text={ping.replyExcerpt} />
        </Stack>
      )}
    />
  );
}

const outcomeOf = ({ ok, status, errorCode }: Schema<'PingResult'>): string =>
  ok ? `Delivered: HTTP ${status}` : `Failed: ${errorWords(errorCode ?? '', status)}`;

/** The start of a server's response, as plain text. */
export function Response({ text }: { text: string | null }) {
  if (text === null || text === '') return <Text size="sm">{text === null ? 'No response' : 'Empty response'}</Text>;
  return (
    <ScrollArea.Autosize mah={180} type="auto" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': 'Response' }}>
      <pre className="mono verbatim">{text}</pre>
    </ScrollArea.Autosize>
  );
}

function Enable({ endpoint: { id, url, deliveries } }: { endpoint: Endpoint }) {
  const form = useActionForm(() => ({ skipPing: false }));
  const host = hostOf(url);
  return (
    <Action
      label="Enable"
      title={`Enable ${host}`}
      consequences={[
        'Sends a ping first. If it fails, the endpoint stays disabled.',
        'New events are sent from now on.',
        ...(deliveries.held === 0 ? [] : [`${countWebhooks(deliveries.held)} held: use "Resend failed and held" afterwards.`]),
      ]}
      retry="safe"
      run={() => enable(id, form.values.skipPing)}
      toast={() => `${host} enabled`}
      {...form.action}
    >
      <Checkbox label="Enable without a ping" {...form.getInputProps('skipPing', { type: 'checkbox' })} />
    </Action>
  );
}

/** @throws Refusal, which says why the ping failed and what to do */
async function enable(id: string, skipPing: boolean): Promise<Endpoint> {
  try {
    return await callApi(studio.POST('/webhook-endpoints/{id}/enable', { params: { path: { id } }, body: { skipPing } }));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'ENDPOINT_UNREACHABLE') throw error;
    const { errorCode = null, status } = (error.details ?? {}) as { errorCode?: string | null; status?: number | null };
    const reason = errorWords(errorCode ?? '', status);
    const words = `The endpoint stays disabled because the ping failed: ${reason}. ${remedyOf(errorCode)} To enable it anyway, skip the ping.`;
    throw new Refusal(error.code, words, error.status, error.details);
  }
}

function Disable({ endpoint: { id, url } }: { endpoint: Endpoint }) {
  const form = useActionForm(() => ({ reason: '' }));
  const body = { reason: trimToUndefined(form.values.reason) };
  const host = hostOf(url);
  return (
    <Action
      label="Disable"
      title={`Disable ${host}`}
      consequences={[`Pending and new webhooks are held until you enable ${host} again.`, CLIENT_NOT_NOTIFIED]}
      retry="safe"
      run={() => callApi(studio.POST('/webhook-endpoints/{id}/disable', { params: { path: { id } }, body }))}
      toast={() => `${host} disabled`}
      {...form.action}
      danger
    >
      <TextInput label="Reason" description="Optional. Shown with the endpoint." maxLength={200} {...form.field('reason')} />
    </Action>
  );
}

function Delete({ endpoint: { id, url } }: { endpoint: Endpoint }) {
  const host = hostOf(url);
  return (
    <Action
      label="Delete"
      title={`Delete ${host}`}
      consequences={[
        `No more webhooks are sent to ${host}. You cannot undo this.`,
        'Its webhooks stay in the list; pending ones are held.',
        CLIENT_NOT_NOTIFIED,
      ]}
      retry="safe"
      run={() => callApi(studio.DELETE('/webhook-endpoints/{id}', { params: { path: { id } } }))}
      toast={() => `${host} deleted`}
      danger
    />
  );
}
