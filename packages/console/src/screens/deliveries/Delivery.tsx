import { Alert, Anchor, Group, ScrollArea, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Refusal } from '../../api/refusal';
import { callApi, callApiPage, type Schema, studio } from '../../api/studio';
import { EndpointActions } from '../../endpoints/EndpointActions';
import { EndpointHealth } from '../../endpoints/EndpointHealth';
import { type EndpointWithHealth, healthOf } from '../../endpoints/health';
import { type Endpoint, errorWords, eventWords, hostOf, remedyOf } from '../../endpoints/words';
import { useReportEnvironment } from '../../session/environment';
import { Action } from '../../shared/action';
import { Copy, Id } from '../../shared/copy';
import { ErrorAlert, Loading } from '../../shared/feedback';
import { FactList, OnlyFor, Panel } from '../../shared/layout';
import { AccountLink, OrderLinkWithText } from '../../shared/orders';
import { statusColor, StatusBadge } from '../../shared/status';
import { plural } from '../../shared/words';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';
import { useTitle } from '../../shared/title';
import { Attempts } from './Attempts';

type Detail = Schema<'DeliveryDetail'>;

export function Delivery() {
  return (
    <OnlyFor minRole="office" what="webhook deliveries" title="Webhook delivery">
      <DeliveryPage />
    </OnlyFor>
  );
}

function DeliveryPage() {
  const { delivery: id = '' } = useParams({ strict: false });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['delivery', id],
    queryFn: () => callApi(studio.GET('/deliveries/{id}', { params: { path: { id } } })),
  });
  const endpoint = useEndpoint(data);
  useTitle(data === undefined ? 'Webhook delivery' : `${eventWords(data.eventType)}, ${data.orderNumber}`);
  useReportEnvironment(data?.environment);
  if (isPending) return <Loading what="Loading the webhook" />;
  if (data === undefined) return <ErrorAlert error={error} retry={() => void refetch()} />;
  return (
    <Stack>
      <Header delivery={data} endpoint={endpoint} />
      <State delivery={data} endpoint={endpoint} />
      <ErrorAlert error={error} retry={() => void refetch()} />
      <Facts delivery={data} />
      <Attempts delivery={data} />
      <EndpointPanel {...endpoint} />
      <Payload text={data.event.rawBody} />
    </Stack>
  );
}

interface EndpointState {
  endpoint: Endpoint | null;
  /** Null until it is loaded, and of a deleted endpoint. */
  withHealth: EndpointWithHealth | null;
  isDeleted: boolean;
  error: unknown;
}

function useEndpoint(delivery: Detail | undefined): EndpointState {
  const { accountId = '', environment = 'live', endpointId: id = '' } = delivery ?? {};
  const enabled = delivery !== undefined;
  const { data, error } = useQuery({
    queryKey: ['endpoints', 'one', id],
    queryFn: () => callApi(studio.GET('/webhook-endpoints/{id}', { params: { path: { id } } })),
    enabled,
  });
  // Only the list has the health.
  const { data: list } = useQuery({
    queryKey: ['endpoints', 'of', accountId, environment],
    queryFn: () => callApiPage(studio.GET('/webhook-endpoints', { params: { query: { accountId, environment, limit: 100 } } })),
    enabled,
  });
  const isDeleted = error instanceof Refusal && error.status === 404;
  const withHealth = list?.rows.find((endpoint) => endpoint.id === id) ?? null;
  return { endpoint: data ?? null, withHealth, isDeleted, error: isDeleted ? null : error };
}

interface DeliveryProps {
  delivery: Detail;
  endpoint: EndpointState;
}

function Header({ delivery, endpoint }: DeliveryProps) {
  const { eventType, orderNumber, state, workflowUrl } = delivery;
  return (
    <Stack gap={4}>
      <TextLink to="/deliveries" size="sm">
        All webhooks
      </TextLink>
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={1}>
            {eventWords(eventType)}, {orderNumber}
          </Title>
          <StatusBadge of={state} />
        </Group>
        <Group gap="sm">
          {workflowUrl !== null && (
            <Anchor href={workflowUrl} target="_blank" rel="noreferrer" size="sm">
              Open in Temporal
            </Anchor>
          )}
          {!endpoint.isDeleted && <Resend delivery={delivery} endpoint={endpoint} />}
        </Group>
      </Group>
    </Stack>
  );
}

function Resend({ delivery: { id, endpointUrl, eventType, orderNumber, attemptsInChain }, endpoint: { endpoint } }: DeliveryProps) {
  const host = hostOf(endpointUrl);
  const isDisabled = endpoint?.state === 'disabled';
  return (
    <Action
      label="Resend"
      title={`Resend "${eventWords(eventType)}" of ${orderNumber}`}
      consequences={[
        `Sends the event to ${host} again, with the same event id and up to ${plural(attemptsInChain, 'attempt')}.`,
        ...(isDisabled ? ['Enable the endpoint first.'] : []),
      ]}
      run={() => callApi(studio.POST('/deliveries/{id}/resend', { params: { path: { id } } }))}
      toast={() => `Sending to ${host}`}
      ready={!isDisabled}
      notReady="The endpoint is disabled"
      button={{ variant: 'filled' }}
    />
  );
}

function State({ delivery, endpoint }: DeliveryProps) {
  const { state, lastErrorCode, lastStatus } = delivery;
  return (
    <Alert color={statusColor(state)} variant="light" role="status">
      <Text size="sm">
        <Outcome delivery={delivery} endpoint={endpoint} />
      </Text>
      {state !== 'delivered' && lastErrorCode !== null && (
        <Text size="sm">
          Last error: {errorWords(lastErrorCode, lastStatus)}. {remedyOf(lastErrorCode)}
        </Text>
      )}
    </Alert>
  );
}

function Outcome({ delivery, endpoint: { endpoint, isDeleted } }: DeliveryProps) {
  const { state, attemptCount, attemptsInChain, chain, completedAt, nextAttemptAt, lastAttemptDueAt } = delivery;
  const afterResend = chain > 1 ? ' after a resend' : '';
  switch (state) {
    case 'delivered':
      return (
        <>
          Delivered <Time at={completedAt} /> on attempt {attemptCount}
          {afterResend}.
        </>
      );
    case 'pending':
      if (attemptCount === 0) return 'The first attempt starts now.';
      return (
        <>
          Attempt {attemptCount} of {Math.max(attemptsInChain, attemptCount)} failed{afterResend}. Next attempt: <Time at={nextAttemptAt} />
          . Last attempt: <Time at={lastAttemptDueAt} />.
        </>
      );
    case 'failed':
      return (
        <>
          Failed <Time at={completedAt} /> after {plural(attemptCount, 'attempt')}. Resend it when the server works again.
        </>
      );
    case 'held':
      if (isDeleted) return 'Held: the endpoint was deleted. This event is not sent.';
      if (endpoint?.state === 'enabled') return 'Held while the endpoint was disabled. Resend it now.';
      return 'Held: the endpoint is disabled. Enable it below, then resend.';
  }
}

function Facts({ delivery }: { delivery: Detail }) {
  const { orderNumber, accountId, accountName, endpointUrl, eventId, eventType, sequence, createdAt, id } = delivery;
  return (
    <FactList
      facts={{
        Order: <OrderLinkWithText order={orderNumber}>{orderNumber}</OrderLinkWithText>,
        Account: <AccountLink id={accountId} name={accountName} />,
        Endpoint: <span title={endpointUrl}>{hostOf(endpointUrl)}</span>,
        Created: <Time at={createdAt} />,
        'Event type': <span className="mono">{eventType}</span>,
        'Event number of the order': sequence,
        'Event ID': <Id of={eventId} />,
        'Delivery ID': <Id of={id} />,
      }}
    />
  );
}

function EndpointPanel({ endpoint, withHealth, isDeleted, error }: EndpointState) {
  return (
    <Panel title="Endpoint">
      <ErrorAlert error={error} />
      {isDeleted && <Text size="sm">Deleted</Text>}
      {endpoint !== null && (
        <Stack gap="xs">
          <Group gap="sm">
            <span className="mono">{endpoint.url}</span>
            <StatusBadge of={withHealth === null ? endpoint.state : healthOf(withHealth)} />
            <TextLink to="/deliveries" search={{ endpoint: endpoint.id }} size="sm">
              View webhooks
            </TextLink>
          </Group>
          {withHealth !== null && <EndpointHealth endpoint={withHealth} />}
          <EndpointActions endpoint={endpoint} pending={withHealth?.health.pending ?? 0} />
        </Stack>
      )}
    </Panel>
  );
}

function Payload({ text }: { text: string }) {
  return (
    <Panel title="Payload" beside={<Copy text={text} />}>
      <Tabs defaultValue="formatted" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="formatted">Formatted</Tabs.Tab>
          <Tabs.Tab value="raw">Raw, as signed</Tabs.Tab>
        </Tabs.List>
        {Object.entries({ formatted: formatJson(text), raw: text }).map(([name, shown]) => (
          <Tabs.Panel key={name} value={name} pt="xs">
            <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': `Payload, ${name}` }}>
              <pre className="mono verbatim">{shown}</pre>
            </ScrollArea.Autosize>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Panel>
  );
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
