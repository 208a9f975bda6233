import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Refusal } from '../../api/refusal';
import { ask, page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { eventWords } from '../../endpoints/words';
import { useShows } from '../../session/environment';
import { useMay } from '../../session/session';
import { Status } from '../../shared/status';
import { useTitle } from '../../shared/title';
import { Refused, Waiting } from '../../shared/told';
import { Attempts } from './Attempts';
import { Body } from './Body';
import { Facts } from './Facts';
import { OfficeOnly } from './OfficeOnly';
import { Receiver } from './Receiver';
import { Resend } from './Resend';
import { Standing } from './Standing';

/** One delivery, to the office. */
export function Delivery() {
  if (useMay('office')) return <Opened />;
  return (
    <Stack>
      <Title order={1} size="h2">
        Delivery
      </Title>
      <OfficeOnly />
    </Stack>
  );
}

/** One event to one endpoint: why it is where it is, every attempt, what was sent, and what can be done. */
function Opened() {
  const { delivery: id = '' } = useParams({ strict: false });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['delivery', id],
    queryFn: () => ask(studio.GET('/deliveries/{id}', { params: { path: { id } } })),
  });
  const endpoint = useEndpoint(data?.endpointId);
  const faring = useFaring(data);
  useTitle(data === undefined ? 'Delivery' : `${eventWords(data.eventType)}, ${data.orderNumber}`);
  useShows(data?.environment);
  if (isPending) return <Waiting what="Opening the delivery" />;
  if (data === undefined) return <Refused error={error} retry={() => void refetch()} />;
  return (
    <Stack>
      <Head delivery={data} />
      <Standing delivery={data} endpoint={endpoint.data ?? null} isDeleted={endpoint.isDeleted} />
      <Group gap="xs">
        <Resend delivery={data} endpoint={endpoint.data ?? null} isDeleted={endpoint.isDeleted} />
        {data.workflowUrl !== null && (
          <Anchor href={data.workflowUrl} target="_blank" rel="noreferrer" size="sm">
            Its workflow in Temporal
          </Anchor>
        )}
      </Group>
      <Refused error={error} retry={() => void refetch()} />
      <Facts delivery={data} />
      <Attempts delivery={data} />
      <Receiver endpoint={endpoint.data ?? null} faring={faring} isDeleted={endpoint.isDeleted} error={endpoint.error} />
      <Body delivery={data} />
    </Stack>
  );
}

function Head({ delivery: { eventType, orderNumber, state } }: { delivery: Of<'DeliveryDetail'> }) {
  return (
    <Stack gap={4}>
      <Anchor renderRoot={(props) => <Link to="/deliveries" {...props} />} size="sm">
        All deliveries
      </Anchor>
      <Group gap="sm">
        <Title order={1} size="h2">
          {eventWords(eventType)}, {orderNumber}
        </Title>
        <Status of={state} />
      </Group>
      <Text className="mono quiet">{eventType}</Text>
    </Stack>
  );
}

/** Null while it is asked for; the API has none for an endpoint that was deleted. */
function useEndpoint(id: string | undefined) {
  const { data, error } = useQuery({
    queryKey: ['endpoints', 'one', id],
    queryFn: () => ask(studio.GET('/webhook-endpoints/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: id !== undefined,
  });
  const isDeleted = error instanceof Refusal && error.status === 404;
  return { data, isDeleted, error: isDeleted ? null : error };
}

/** How its endpoint fares, which the list of its account's tells; null until then, and of one that was deleted. */
function useFaring(delivery: Of<'DeliveryDetail'> | undefined) {
  const { accountId = '', environment = 'live', endpointId } = delivery ?? {};
  const { data } = useQuery({
    queryKey: ['endpoints', 'of', accountId, environment],
    queryFn: () => page(studio.GET('/webhook-endpoints', { params: { query: { accountId, environment, limit: 100 } } })),
    enabled: delivery !== undefined,
  });
  return data?.rows.find(({ id }) => id === endpointId) ?? null;
}
