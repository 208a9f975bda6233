import { Group, List, Stack, Text, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { eventInWords } from '../../shared/order-status';
import { Part } from '../../shared/part';
import { capital, Status } from '../../shared/status';
import { To } from '../../shared/to';
import { Nothing } from '../../shared/told';
import { When } from '../../shared/when';
import type { Order } from './order';

type Event = Order['events'][number];
type Sent = Event['deliveries'][number];

export function Events({ order }: { order: Order }) {
  const { events, accountName, remakeOf } = order;
  const tracking = trackingTold(order);
  return (
    <Part title="What the client was told">
      {events.length === 0 ? (
        <Nothing>
          {remakeOf === null ? 'Nothing yet: each new status is told here.' : `${accountName} is told of the original alone.`}
        </Nothing>
      ) : (
        <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {events.map((event) => (
            <Told key={event.id} event={event} tracking={tracking.get(event.id)} />
          ))}
        </Stack>
      )}
    </Part>
  );
}

/** Each parcel is told of by an event of its own, in the order in which they were added (ruling 29): their tracking, by event. */
function trackingTold({ events, timeline, parcels }: Order): Map<string, string> {
  const shipped = events.filter(({ type }) => type === 'order.shipped').toSorted((one, other) => one.sequence - other.sequence);
  const added = timeline.filter(({ type, outcome }) => type === 'parcel_added' && outcome === 'applied');
  if (shipped.length !== added.length) return new Map();
  return new Map(
    added.flatMap(({ carried: { parcelId, trackingNumber } }, at) => {
      const told = trackingNumber ?? parcels.find((parcel) => parcel.parcelId === parcelId)?.trackingNumber;
      const event = shipped[at];
      return told === undefined || event === undefined ? [] : [[event.id, told] as const];
    }),
  );
}

function untilTold(deliveries: readonly Sent[]): string {
  if (deliveries.length === 0 || deliveries.some(({ state }) => state === 'delivered')) return '';
  const pending = deliveries.filter(({ state }) => state === 'pending');
  if (pending.length === 0) return 'Not told: ';
  return pending.every(({ attemptCount }) => attemptCount === 0) ? 'Is being told: ' : 'Not told yet: ';
}

function Told({ event: { type, createdAt, deliveries }, tracking }: { event: Event; tracking: string | undefined }) {
  const words = `${untilTold(deliveries)}${eventInWords(type)}${tracking === undefined ? '' : `: ${tracking}`}`;
  return (
    <li>
      <Title order={3} size="h6" className="wraps">
        {capital(words)} <span className="mono">{type}</span>
      </Title>
      <Text size="sm">
        <When at={createdAt} />
      </Text>
      {deliveries.length === 0 ? (
        <Text size="sm">Sent nowhere: the account had no webhook endpoint then. It can still read it.</Text>
      ) : (
        <List size="sm" listStyleType="none">
          {deliveries.map((delivery) => (
            <List.Item key={delivery.id}>
              <Delivery delivery={delivery} />
            </List.Item>
          ))}
        </List>
      )}
    </li>
  );
}

function Delivery({ delivery }: { delivery: Sent }) {
  const { id, state, attemptCount, nextAttemptAt, completedAt } = delivery;
  const mayOffice = useMay('office');
  return (
    <Group gap="xs">
      <Status of={state} />
      <Text size="sm">
        {attemptCount === 0 ? 'not tried yet' : `after ${attemptCount} ${attemptCount === 1 ? 'attempt' : 'attempts'}`}
        {nextAttemptAt !== null && (
          <>
            , the next <When at={nextAttemptAt} />
          </>
        )}
        {completedAt !== null && (
          <>
            , <When at={completedAt} />
          </>
        )}
      </Text>
      {mayOffice && (
        <To underline="always" to="/deliveries/$delivery" params={{ delivery: id }} size="sm">
          {linkOf(delivery)}
        </To>
      )}
    </Group>
  );
}

function linkOf({ state, attemptCount }: Sent): string {
  if (state === 'delivered') return 'What was answered';
  return attemptCount === 0 ? 'What is sent' : 'Why, and send it again';
}
