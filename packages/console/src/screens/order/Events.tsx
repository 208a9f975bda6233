import { Group, Stack, Text, Title } from '@mantine/core';
import { useHasRole } from '../../session/session';
import { EmptyState } from '../../shared/feedback';
import { Panel } from '../../shared/layout';
import { StatusBadge } from '../../shared/status';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';
import type { Order } from './studio-order';

type Event = Order['events'][number];
type Delivery = Event['deliveries'][number];

export function Events({ order }: { order: Order }) {
  const { events, remakeOf } = order;
  const tracking = trackingOf(order);
  return (
    <Panel title="Webhook events">
      {events.length === 0 ? (
        <EmptyState>{remakeOf === null ? 'No events' : 'The original order sends the events.'}</EmptyState>
      ) : (
        <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {events.map((event) => (
            <EventItem key={event.id} event={event} tracking={tracking.get(event.id)} />
          ))}
        </Stack>
      )}
    </Panel>
  );
}

/** Tracking numbers by event. Each parcel sends its own event, in the order of adding. */
function trackingOf({ events, timeline, parcels }: Order): Map<string, string> {
  const shipped = events.filter(({ type }) => type === 'order.shipped').toSorted((one, other) => one.sequence - other.sequence);
  const added = timeline.filter(({ type, outcome }) => type === 'parcel_added' && outcome === 'applied');
  if (shipped.length !== added.length) return new Map();
  return new Map(
    added.flatMap(({ carried: { parcelId, trackingNumber } }, index) => {
      const tracking = trackingNumber ?? parcels.find((parcel) => parcel.parcelId === parcelId)?.trackingNumber;
      const event = shipped[index];
      return tracking === undefined || event === undefined ? [] : [[event.id, tracking] as const];
    }),
  );
}

function EventItem({ event: { type, createdAt, deliveries }, tracking }: { event: Event; tracking: string | undefined }) {
  return (
    <li>
      <Title order={3} size="h6" className="wraps">
        {type}
        {tracking === undefined ? '' : ` · ${tracking}`}
        <Text span size="sm">
          {' '}
          · <Time at={createdAt} />
        </Text>
      </Title>
      {deliveries.length === 0 && <Text size="sm">Not sent: the account had no webhook endpoint</Text>}
      {deliveries.map((delivery) => (
        <DeliveryLine key={delivery.id} delivery={delivery} />
      ))}
    </li>
  );
}

function DeliveryLine({ delivery: { id, state, attemptCount, nextAttemptAt, completedAt } }: { delivery: Delivery }) {
  const isOffice = useHasRole('office');
  return (
    <Group gap="xs" mt={2}>
      <StatusBadge of={state} />
      <Text size="sm">
        {attemptCount} {attemptCount === 1 ? 'attempt' : 'attempts'}
        {nextAttemptAt !== null && (
          <>
            , next <Time at={nextAttemptAt} />
          </>
        )}
        {completedAt !== null && (
          <>
            , <Time at={completedAt} />
          </>
        )}
      </Text>
      {isOffice && (
        <TextLink underline="always" to="/deliveries/$delivery" params={{ delivery: id }} size="sm">
          View attempts
        </TextLink>
      )}
    </Group>
  );
}
