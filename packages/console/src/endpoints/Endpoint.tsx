import { Group, Paper, Stack, Text } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import { callApiPage, type Environment, studio } from '../api/studio';
import { Id } from '../shared/copy';
import { useEnvironment } from '../session/environment';
import { formatCount } from '../shared/counts';
import { ListTable, type RowsColumn, useList } from '../shared/list';
import { AccountLink } from '../shared/orders';
import { StatusBadge } from '../shared/status';
import { plural } from '../shared/words';
import { TextLink } from '../shared/text-link';
import { Time } from '../shared/time';
import { EndpointActions } from './EndpointActions';
import { type EndpointWithHealth, healthOf } from './health';
import { errorWords, eventWords, hostOf } from './words';

interface EndpointProps {
  endpoint: EndpointWithHealth;
}

/** The newest endpoints of an account, or of all accounts. */
export const endpointsQuery = (environment: Environment, accountId?: string) =>
  queryOptions({
    queryKey: ['endpoints', 'newest', environment, accountId],
    queryFn: () => callApiPage(studio.GET('/webhook-endpoints', { params: { query: { environment, accountId, limit: 100 } } })),
  });

const COLUMNS: readonly RowsColumn<EndpointWithHealth>[] = [
  {
    heading: 'Endpoint',
    wrap: true,
    cell: ({ id, url }) => (
      <TextLink to="/deliveries" search={{ endpoint: id }} size="sm" fw={600} title={url} className="anywhere">
        {hostOf(url)}
      </TextLink>
    ),
  },
  { heading: 'Account', wrap: true, cell: ({ accountId, accountName }) => <AccountLink id={accountId} name={accountName} size="sm" /> },
  { heading: 'Status', cell: (endpoint) => <StatusBadge of={healthOf(endpoint)} /> },
  { heading: 'Details', wrap: true, cell: (endpoint) => <EndpointHealth endpoint={endpoint} /> },
  { heading: '', cell: (endpoint) => <EndpointActions endpoint={endpoint} />, right: true },
];

interface EndpointTableProps {
  label: string;
  /** Also the endpoints without problems. */
  isAll?: boolean;
  empty: string;
}

/** The endpoints of all accounts that have problems, or all endpoints. */
export function EndpointTable({ label, isAll = false, empty }: EndpointTableProps) {
  const [environment] = useEnvironment();
  const query = { environment, limit: 5, ...(!isAll && { failing: 'true' as const }) };
  const list = useList<EndpointWithHealth>(['endpoints', query], (cursor) =>
    callApiPage(studio.GET('/webhook-endpoints', { params: { query: { ...query, cursor } } })),
  );
  return <ListTable label={label} noun="endpoint" list={list} columns={COLUMNS} keyOf={({ id }) => id} empty={empty} />;
}

export function EndpointCard({ endpoint }: EndpointProps) {
  const { id, url, eventTypes, secretOverlapUntil } = endpoint;
  return (
    <Paper withBorder p="md" component="section" aria-label={`Endpoint ${url}`}>
      <Stack gap="xs">
        <Group gap="sm">
          <TextLink to="/deliveries" search={{ endpoint: id }} size="sm" fw={600} title="View webhooks" className="mono">
            {url}
          </TextLink>
          <StatusBadge of={healthOf(endpoint)} />
          <Id of={id} />
        </Group>
        <Text size="sm">Events: {eventTypes === null ? 'All statuses' : eventTypes.map(eventWords).join(', ')}</Text>
        {secretOverlapUntil !== null && (
          <Text size="sm">
            The old secret is valid until <Time at={secretOverlapUntil} />
          </Text>
        )}
        <EndpointHealth endpoint={endpoint} />
        <EndpointActions endpoint={endpoint} all />
      </Stack>
    </Paper>
  );
}

function EndpointHealth({ endpoint }: EndpointProps) {
  const { id, health, deliveries, consecutiveFailures, disabledReason, state } = endpoint;
  const { lastSuccessAt, lastFailureAt, lastErrorCode, pending } = health;
  const counts = Object.entries({ pending, held: deliveries.held, failed: deliveries.failed }).filter(([, count]) => count > 0);
  return (
    <Text size="sm" component="div">
      {state === 'disabled' && <div>{disabledReason ?? 'Disabled'}. Events are held.</div>}
      {lastFailureAt !== null && (
        <div>
          Last failure <Time at={lastFailureAt} />
          {lastErrorCode !== null && `: ${errorWords(lastErrorCode)}`}
        </div>
      )}
      <div>
        {lastSuccessAt === null ? (
          'No recent success'
        ) : (
          <>
            Last success <Time at={lastSuccessAt} />
          </>
        )}
      </div>
      {state === 'enabled' && consecutiveFailures > 0 && <div>{plural(consecutiveFailures, 'failure')} in a row (disabled after 20)</div>}
      <Group gap="sm">
        {counts.map(([name, count]) => (
          <TextLink key={name} to="/deliveries" search={{ endpoint: id, state: name }}>
            {formatCount(count)} {name} {count === 1 ? 'webhook' : 'webhooks'}
          </TextLink>
        ))}
      </Group>
    </Text>
  );
}
