import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { EndpointActions } from '../../endpoints/EndpointActions';
import { eventTypesInWords } from '../../endpoints/event-types';
import { judged } from '../../endpoints/judgement';
import { Register } from '../../endpoints/Register';
import { errorWords } from '../../endpoints/words';
import { useEnvironment } from '../../session/environment';
import { More, useList } from '../../shared/list';
import { FactList } from '../../shared/part';
import { Status } from '../../shared/status';
import { To } from '../../shared/to';
import { Nothing, Refused, Waiting } from '../../shared/told';
import { When } from '../../shared/when';
import type { Account } from './draft';

export function Endpoints({ account }: { account: Account }) {
  const [environment] = useEnvironment();
  const accountId = account.id;
  const list = useList<Healthy>(['endpoints', accountId, environment], (cursor) =>
    page(studio.GET('/webhook-endpoints', { params: { query: { environment, accountId, cursor } } })),
  );
  const rows = list.data?.pages.flatMap((each) => each.rows) ?? [];
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Endpoints for {environment} orders
        </Title>
        <Register account={account} environment={environment} />
      </Group>
      <Text size="sm">A program of theirs is told there whatever happens to an order.</Text>
      {list.isPending && <Waiting what="Reading the endpoints" />}
      <Refused error={list.error} retry={() => void list.refetch()} />
      {list.isSuccess && rows.length === 0 && (
        <Nothing>None for {environment} orders: no program of theirs is told of them. “Register an endpoint” makes one.</Nothing>
      )}
      {rows.map((endpoint) => (
        <Endpoint key={endpoint.id} endpoint={endpoint} />
      ))}
      <Group>
        <More list={list} />
      </Group>
    </Stack>
  );
}

type Healthy = Of<'WebhookEndpointWithHealth'>;

function Endpoint({ endpoint }: { endpoint: Healthy }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={`Endpoint ${endpoint.url}`}>
      <Stack gap="xs">
        <Group gap="sm">
          <Text fw={600} className="mono">
            {endpoint.url}
          </Text>
          <Status of={judged(endpoint)} />
          <Text span className="mono">
            {endpoint.id}
          </Text>
        </Group>
        <Trouble endpoint={endpoint} />
        <Health endpoint={endpoint} />
        <EndpointActions endpoint={endpoint} all />
      </Stack>
    </Paper>
  );
}

function Trouble({ endpoint: { state, disabledReason, consecutiveFailures } }: { endpoint: Healthy }) {
  return (
    <>
      {state === 'disabled' && (
        <Text size="sm">
          Disabled{disabledReason === null ? '' : `: ${disabledReason}`}. What happens meanwhile is held, and can be recovered once it is
          enabled.
        </Text>
      )}
      {consecutiveFailures > 0 && (
        <Text size="sm">
          {consecutiveFailures === 1 ? 'The last delivery' : `The last ${consecutiveFailures} deliveries`} failed for good; after twenty in
          a row it is disabled.
        </Text>
      )}
    </>
  );
}

function Health({ endpoint: { id, eventTypes, health, deliveries, secretOverlapUntil } }: { endpoint: Healthy }) {
  return (
    <FactList
      facts={{
        Events: eventTypesInWords(eventTypes),
        'Last success': health.lastSuccessAt === null ? 'none of late' : <When at={health.lastSuccessAt} />,
        'Last failure': health.lastFailureAt === null ? 'none' : <Failure health={health} />,
        Deliveries: (
          <Group gap="sm">
            <Count endpointId={id} state="pending" count={health.pending} />
            <Count endpointId={id} state="held" count={deliveries.held} />
            <Count endpointId={id} state="failed" count={deliveries.failed} />
            <To to="/deliveries" search={{ endpoint: id }}>
              All
            </To>
          </Group>
        ),
        'Old secret': secretOverlapUntil !== null && (
          <span>
            signs too until <When at={secretOverlapUntil} />
          </span>
        ),
      }}
    />
  );
}

function Failure({ health: { lastFailureAt, lastErrorCode } }: Pick<Healthy, 'health'>) {
  return (
    <>
      <When at={lastFailureAt} />
      {lastErrorCode !== null && `: ${errorWords(lastErrorCode)}`}
    </>
  );
}

const MOST_COUNTED = 10_000;

function Count({ endpointId, state, count }: { endpointId: string; state: string; count: number }) {
  const words = `${count >= MOST_COUNTED ? 'at least ' : ''}${count.toLocaleString('en-AU')} ${state}`;
  return (
    <To to="/deliveries" search={{ endpoint: endpointId, state }} fw={state !== 'pending' && count > 0 ? 700 : 400}>
      {words}
    </To>
  );
}
