import { Checkbox, Group, Progress, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Refusal } from '../api/refusal';
import { callApi, callApiPage, type Schema, studio } from '../api/studio';
import { Action, ActionButtons, useActionForm } from '../shared/action';
import { ErrorAlert, Loading } from '../shared/feedback';
import { CLIENT_NOT_NOTIFIED } from '../shared/words';
import { ChangeEvents } from './event-types';
import { ResendFailed } from './ResendFailed';
import { NewSecret, UrlInput } from './AddEndpoint';
import { countWebhooks, type Endpoint, type EndpointRef, errorWords, hostOf, remedyOf } from './words';

interface ActionsProps {
  endpoint: Endpoint;
  pending?: number;
  all?: boolean;
}

/** The actions for delivery problems; with `all`, also those that change the endpoint. */
export function EndpointActions({ endpoint, pending = 0, all = false }: ActionsProps) {
  return (
    <Group gap="xs" role="group" aria-label={`Actions for ${hostOf(endpoint.url)}`}>
      {endpoint.state === 'disabled' && <Enable endpoint={endpoint} />}
      <Ping endpoint={endpoint} />
      <ActionButtons shown={endpoint.state === 'enabled' && pending > 0}>
        <SendPending endpoint={endpoint} />
      </ActionButtons>
      <ResendFailed endpoint={endpoint} />
      {all && (
        <>
          <ChangeUrl endpoint={endpoint} />
          <ChangeEvents endpoint={endpoint} />
          <NewSecret endpoint={endpoint} />
        </>
      )}
      {endpoint.state === 'enabled' && <Disable endpoint={endpoint} />}
      {all && <Delete endpoint={endpoint} />}
    </Group>
  );
}

function Ping({ endpoint: { id, url } }: { endpoint: EndpointRef }) {
  const host = hostOf(url);
  return (
    <Action
      label="Ping"
      title={`Ping ${host}`}
      consequences={['Sends a signed test event and shows the response. No order is affected.']}
      run={() => callApi(studio.POST('/webhook-endpoints/{id}/ping', { params: { path: { id } } }))}
      toast={({ ok, errorCode, status }) => (ok ? `${host} responded ${status}` : `${host}: ${errorWords(errorCode ?? '', status)}`)}
      result={(ping) => <PingResult ping={ping} />}
    />
  );
}

function PingResult({ ping: { ok, status, errorCode, totalMs, replyExcerpt } }: { ping: Schema<'PingResult'> }) {
  return (
    <Stack gap="xs" role="status">
      <Text fw={600}>{ok ? `Delivered: HTTP ${status}` : `Failed: ${errorWords(errorCode ?? '', status)}`}</Text>
      <Text size="sm">
        {totalMs.toLocaleString('en-AU')} ms. {remedyOf(errorCode)}
      </Text>
      <Response text={replyExcerpt} />
    </Stack>
  );
}

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
      repeats="safely"
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
    return await callApi(studio.POST('/webhook-endpoints/{id}/enable', { params: { path: { id } }, body: skipPing ? { skipPing } : {} }));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'ENDPOINT_UNREACHABLE') throw error;
    const { errorCode = null, status } = (error.details ?? {}) as { errorCode?: string | null; status?: number | null };
    const reason = errorWords(errorCode ?? '', status);
    const words = `The endpoint stays disabled because the ping failed: ${reason}. ${remedyOf(errorCode)} To enable it anyway, skip the ping.`;
    throw new Refusal(error.code, words, error.status, error.details);
  }
}

function Disable({ endpoint: { id, url } }: { endpoint: EndpointRef }) {
  const form = useActionForm(() => ({ reason: '' }));
  const body = () => ({ reason: form.values.reason.trim() || undefined });
  const host = hostOf(url);
  return (
    <Action
      label="Disable"
      title={`Disable ${host}`}
      consequences={[`Pending and new webhooks are held until you enable ${host} again.`, CLIENT_NOT_NOTIFIED]}
      repeats="safely"
      run={() => callApi(studio.POST('/webhook-endpoints/{id}/disable', { params: { path: { id } }, body: body() }))}
      toast={() => `${host} disabled`}
      {...form.action}
      danger
    >
      <TextInput label="Reason" description="Optional. Shown with the endpoint." maxLength={200} {...form.field('reason')} />
    </Action>
  );
}

function ChangeUrl({ endpoint: { id, url } }: { endpoint: EndpointRef }) {
  const form = useActionForm(
    () => ({ url }),
    (values) => ({ url: ['', url].includes(values.url.trim()) && 'Enter another URL' }),
  );
  const changed = form.values.url.trim();
  return (
    <Action
      label="Change URL"
      labels={{ url: 'URL' }}
      title={`Change the URL of ${hostOf(url)}`}
      consequences={['Pending and new webhooks go to the new URL. The secret stays the same.', CLIENT_NOT_NOTIFIED]}
      repeats="safely"
      run={() => callApi(studio.PATCH('/webhook-endpoints/{id}', { params: { path: { id } }, body: { url: changed } }))}
      toast={(endpoint) => `Webhooks now go to ${hostOf(endpoint.url)}`}
      {...form.action}
    >
      <UrlInput {...form.field('url')} />
    </Action>
  );
}

function Delete({ endpoint: { id, url } }: { endpoint: EndpointRef }) {
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
      repeats="safely"
      run={() => callApi(studio.DELETE('/webhook-endpoints/{id}', { params: { path: { id } } }))}
      toast={() => `${host} deleted`}
      danger
    />
  );
}

const BATCH_SIZE = 100;

function SendPending({ endpoint: { id, url } }: { endpoint: EndpointRef }) {
  const [isOpen, setIsOpen] = useState(false);
  const [sent, setSent] = useState(0);
  const { data, error, isPending, refetch } = usePendingDeliveries(id, isOpen);
  const host = hostOf(url);
  const ids = data?.ids ?? [];
  const run = async (): Promise<number> => {
    // A repeat after a refusal continues with the next delivery.
    for (let index = sent; index < ids.length; index++) {
      await callApi(studio.POST('/deliveries/{id}/resend', { params: { path: { id: ids[index] ?? '' } } }));
      setSent(index + 1);
    }
    return ids.length;
  };
  return (
    <Action
      label="Send pending now"
      title={`Send pending webhooks to ${host}`}
      consequences={['Sends failed attempts again now, with their original event ids. The retry schedule starts again.']}
      run={run}
      toast={(count) => `Sending ${countWebhooks(count)} to ${host}`}
      onOpen={() => {
        setSent(0);
        setIsOpen(true);
        void refetch();
      }}
      ready={ids.length > 0}
    >
      {isPending && <Loading what="Counting" />}
      <ErrorAlert error={error} />
      {data !== undefined && (
        <Text role="status">
          {ids.length === 0 ? 'No pending webhooks' : countWebhooks(ids.length)}
          {!data.isAll && '. Repeat this for the rest.'}
        </Text>
      )}
      {sent > 0 && <Progress value={(sent / ids.length) * 100} aria-label={`${sent} of ${ids.length} sent`} />}
    </Action>
  );
}

/** Its newest pending deliveries with a failed attempt. No live event refreshes the key, so the counted ones are those that are sent. */
function usePendingDeliveries(endpointId: string, enabled: boolean) {
  return useQuery({
    queryKey: ['pending-deliveries', endpointId],
    queryFn: async () => {
      const query = { endpointId, state: 'pending', limit: BATCH_SIZE } as const;
      const { rows, nextCursor } = await callApiPage(studio.GET('/deliveries', { params: { query } }));
      return { ids: rows.filter(({ attemptCount }) => attemptCount > 0).map(({ id }) => id), isAll: nextCursor === null };
    },
    enabled,
    staleTime: Infinity,
    gcTime: 0,
  });
}
