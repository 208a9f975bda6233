import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { callApiPage, type Schema, studio } from '../../api/studio';
import { EndpointActions } from '../../endpoints/EndpointActions';
import { eventTypesInWords } from '../../endpoints/event-types';
import { healthOf } from '../../endpoints/health';
import { AddEndpoint } from '../../endpoints/AddEndpoint';
import { errorWords } from '../../endpoints/words';
import { useEnvironment } from '../../session/environment';
import { formatCount } from '../../shared/counts';
import { ShowMore, useList } from '../../shared/list';
import { FactList } from '../../shared/layout';
import { StatusBadge } from '../../shared/status';
import { plural } from '../../shared/words';
import { TextLink } from '../../shared/text-link';
import { EmptyState, ErrorAlert, Loading } from '../../shared/feedback';
import { Time } from '../../shared/time';
import type { Account } from './account-form';

export function Endpoints({ account }: { account: Account }) {
  const [environment] = useEnvironment();
  const accountId = account.id;
  const list = useList<EndpointWithHealth>(['endpoints', accountId, environment], (cursor) =>
    callApiPage(studio.GET('/webhook-endpoints', { params: { query: { environment, accountId, cursor } } })),
  );
  const rows = list.data?.pages.flatMap((each) => each.rows) ?? [];
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Webhook endpoints for {environment} orders
        </Title>
        <AddEndpoint account={account} environment={environment} />
      </Group>
      {list.isPending && <Loading what="Loading the endpoints" />}
      <ErrorAlert error={list.error} retry={() => void list.refetch()} />
      {list.isSuccess && rows.length === 0 && <EmptyState>No endpoints for {environment} orders. The client gets no webhooks.</EmptyState>}
      {rows.map((endpoint) => (
        <Endpoint key={endpoint.id} endpoint={endpoint} />
      ))}
      <Group>
        <ShowMore list={list} />
      </Group>
    </Stack>
  );
}

type EndpointWithHealth = Schema<'WebhookEndpointWithHealth'>;

function Endpoint({ endpoint }: { endpoint: EndpointWithHealth }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={`Endpoint ${endpoint.url}`}>
      <Stack gap="xs">
        <Group gap="sm">
          <Text fw={600} className="mono">
            {endpoint.url}
          </Text>
          <StatusBadge of={healthOf(endpoint)} />
          <Text span className="mono">
            {endpoint.id}
          </Text>
        </Group>
        <Problems endpoint={endpoint} />
        <Health endpoint={endpoint} />
        <EndpointActions endpoint={endpoint} all />
      </Stack>
    </Paper>
  );
}

function Problems({ endpoint: { state, disabledReason, consecutiveFailures } }: { endpoint: EndpointWithHealth }) {
  return (
    <>
      {state === 'disabled' && (
        <Text size="sm">Disabled{disabledReason === null ? '' : `: ${disabledReason}`}. Events are held until you enable it.</Text>
      )}
      {consecutiveFailures > 0 && (
        <Text size="sm">{plural(consecutiveFailures, 'failed webhook')} in a row. After 20, the endpoint is disabled.</Text>
      )}
    </>
  );
}

function Health({ endpoint: { id, eventTypes, health, deliveries, secretOverlapUntil } }: { endpoint: EndpointWithHealth }) {
  return (
    <FactList
      facts={{
        Events: eventTypesInWords(eventTypes),
        'Last success': health.lastSuccessAt === null ? 'None recently' : <Time at={health.lastSuccessAt} />,
        'Last failure': health.lastFailureAt === null ? 'None' : <Failure health={health} />,
        Webhooks: (
          <Group gap="sm">
            <Count endpointId={id} state="pending" count={health.pending} />
            <Count endpointId={id} state="held" count={deliveries.held} />
            <Count endpointId={id} state="failed" count={deliveries.failed} />
            <TextLink to="/deliveries" search={{ endpoint: id }}>
              All
            </TextLink>
          </Group>
        ),
        'Old secret': secretOverlapUntil !== null && (
          <span>
            valid until <Time at={secretOverlapUntil} />
          </span>
        ),
      }}
    />
  );
}

function Failure({ health: { lastFailureAt, lastErrorCode } }: Pick<EndpointWithHealth, 'health'>) {
  return (
    <>
      <Time at={lastFailureAt} />
      {lastErrorCode !== null && `: ${errorWords(lastErrorCode)}`}
    </>
  );
}

function Count({ endpointId, state, count }: { endpointId: string; state: string; count: number }) {
  return (
    <TextLink to="/deliveries" search={{ endpoint: endpointId, state }} fw={state !== 'pending' && count > 0 ? 700 : 400}>
      {formatCount(count)} {state}
    </TextLink>
  );
}
