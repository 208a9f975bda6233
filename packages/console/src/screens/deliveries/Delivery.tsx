import { Alert, Anchor, Group, ScrollArea, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { callApi, type Schema, studio } from '../../api/studio';
import { EndpointCard, endpointsQuery } from '../../endpoints/Endpoint';
import { Response } from '../../endpoints/EndpointActions';
import type { EndpointWithHealth } from '../../endpoints/health';
import { errorWords, eventWords, hostOf, remedyOf } from '../../endpoints/words';
import { useSetShownEnvironment } from '../../session/environment';
import { Action } from '../../shared/action';
import { Copy, Id } from '../../shared/copy';
import { EmptyState, ErrorAlert, Loaded } from '../../shared/feedback';
import { FactList, OnlyFor, Panel } from '../../shared/layout';
import { type RowsColumn, StaticTable } from '../../shared/list';
import { AccountLink, OrderLinkWithText } from '../../shared/orders';
import { ownValue } from '../../shared/own-value';
import { statusColor, StatusBadge } from '../../shared/status';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';
import { useTitle } from '../../shared/title';
import { capitalize, plural, statusLabel } from '../../shared/words';

export function Delivery() {
  return (
    <OnlyFor minRole="office" what="webhook deliveries" title="Webhook delivery">
      <DeliveryPage />
    </OnlyFor>
  );
}

function DeliveryPage() {
  const { delivery: id = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['delivery', id],
    queryFn: () => callApi(studio.GET('/deliveries/{id}', { params: { path: { id } } })),
  });
  const { data } = query;
  useTitle(data === undefined ? 'Webhook delivery' : `Webhook “${eventWords(data.eventType)}” for ${data.orderNumber}`);
  useSetShownEnvironment(data?.environment);
  return (
    <Loaded query={query} what="Loading the webhook">
      {(delivery) => <LoadedDelivery delivery={delivery} />}
    </Loaded>
  );
}

interface DeliveryProps {
  delivery: Schema<'DeliveryDetail'>;
  /** Undefined while it loads, null if it was deleted. */
  endpoint: EndpointWithHealth | null | undefined;
}

function LoadedDelivery({ delivery }: Pick<DeliveryProps, 'delivery'>) {
  const { id, accountId, accountName, endpointId, endpointUrl, environment, eventId, eventType, orderNumber, state, workflowUrl } =
    delivery;
  const { data: list, error } = useQuery(endpointsQuery(environment, accountId));
  const listed = list?.rows.find((each) => each.id === endpointId);
  const endpoint = list?.nextCursor === null ? (listed ?? null) : listed;
  return (
    <Stack>
      <TextLink to="/deliveries" size="sm">
        All webhooks
      </TextLink>
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={1}>
            Webhook “{eventWords(eventType)}” for {orderNumber}
          </Title>
          <StatusBadge of={state} />
        </Group>
        <Group gap="sm">
          {workflowUrl !== null && (
            <Anchor href={workflowUrl} target="_blank" rel="noreferrer" size="sm">
              Open in Temporal
            </Anchor>
          )}
          {endpoint !== null && <Resend delivery={delivery} endpoint={endpoint} />}
        </Group>
      </Group>
      <State delivery={delivery} endpoint={endpoint} />
      <FactList
        facts={{
          Order: <OrderLinkWithText order={orderNumber}>{orderNumber}</OrderLinkWithText>,
          Account: <AccountLink id={accountId} name={accountName} />,
          Endpoint: <span title={endpointUrl}>{`${hostOf(endpointUrl)}${endpoint === null ? ', deleted' : ''}`}</span>,
          Created: <Time at={delivery.createdAt} />,
          'Event type': <span className="mono">{eventType}</span>,
          'Event number of the order': delivery.sequence,
          'Event ID': <Id of={eventId} />,
          'Delivery ID': <Id of={id} />,
        }}
      />
      <Attempts delivery={delivery} />
      <ErrorAlert error={error} />
      {endpoint && <EndpointCard endpoint={endpoint} />}
      <Panel title="Payload" beside={<Copy text={delivery.event.rawBody} />}>
        <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Payload, formatted' }}>
          <pre className="mono verbatim">{JSON.stringify(JSON.parse(delivery.event.rawBody), null, 2)}</pre>
        </ScrollArea.Autosize>
      </Panel>
    </Stack>
  );
}

function Resend({ delivery: { id, endpointUrl, eventType, orderNumber, attemptsInChain }, endpoint }: DeliveryProps) {
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
      notReadyReason="The endpoint is disabled"
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

function Outcome({ delivery, endpoint }: DeliveryProps) {
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
      if (endpoint === null) return 'Held: the endpoint was deleted. This event is not sent.';
      if (endpoint?.state === 'enabled') return 'Held while the endpoint was disabled. Resend it now.';
      return 'Held: the endpoint is disabled. Enable it below, then resend.';
  }
}

type Attempt = Schema<'Attempt'>;

const TRIGGERS: Readonly<Record<Schema<'Delivery'>['trigger'], string>> = {
  automatic: 'First attempt',
  resend: 'Resent',
  recover: 'Resent in bulk',
};

const COLUMNS: readonly RowsColumn<Attempt>[] = [
  { heading: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    heading: 'Trigger',
    cell: ({ trigger, number }) => (number > 1 ? `Retry ${number - 1}` : (ownValue(TRIGGERS, trigger) ?? statusLabel(trigger))),
  },
  {
    heading: 'Result',
    cell: ({ ok, errorCode, status }) => (ok ? `✓ HTTP ${status}` : `✗ ${capitalize(errorWords(errorCode ?? '', status))}`),
  },
  { heading: 'Response', cell: ({ replyExcerpt }) => <Response text={replyExcerpt} /> },
  { heading: 'Duration (ms)', cell: ({ timings }) => <Duration timings={timings} />, right: true },
  { heading: 'Next attempt', cell: ({ nextAttemptAt }) => <Time at={nextAttemptAt} /> },
];

function Attempts({ delivery: { attempts, attemptsDeletedUntil } }: { delivery: Schema<'DeliveryDetail'> }) {
  return (
    <Panel title="Attempts">
      {(attempts.length > 0 || attemptsDeletedUntil === null) && (
        <StaticTable
          label="Attempts"
          rows={attempts.toReversed()}
          columns={COLUMNS}
          keyOf={({ chain, number }) => `${chain}-${number}`}
          empty="No attempts yet"
        />
      )}
      {attemptsDeletedUntil !== null && (
        <EmptyState>
          Attempts until <Time at={attemptsDeletedUntil} /> were deleted.
        </EmptyState>
      )}
    </Panel>
  );
}

const PHASES = { DNS: 'dnsMs', connect: 'connectMs', TLS: 'tlsMs', response: 'firstByteMs' } as const;

function Duration({ timings }: { timings: Schema<'Attempt'>['timings'] }) {
  const phases = Object.entries(PHASES).flatMap(([name, key]) => (typeof timings[key] === 'number' ? [`${name} ${timings[key]}`] : []));
  return (
    <span>
      {timings.totalMs?.toLocaleString('en-AU')}
      <Text size="xs">{phases.join(' · ')}</Text>
    </span>
  );
}
