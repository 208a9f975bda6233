import { Group, List, Stack, Text, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { capital, Status } from '../../shared/status';
import { Nothing } from '../../shared/told';
import { When } from '../../shared/when';
import type { Order } from './order';
import { Part } from './Part';
import { eventInWords } from './words';
import { To } from '../../shared/to';

type Event = Order['events'][number];
type Sent = Event['deliveries'][number];

/** What the client's program was told, the newest first, and whether that has arrived. */
export function Events({ order: { events, accountName, remakeOf } }: { order: Order }) {
  return (
    <Part title="What the client was told">
      {events.length === 0 ? (
        <Nothing>
          {remakeOf === null ? 'Nothing yet: each new status is told here.' : `${accountName} is told of the original alone.`}
        </Nothing>
      ) : (
        <Stack gap="sm" component="ul" className="plain">
          {events.map((event) => (
            <Told key={event.id} event={event} />
          ))}
        </Stack>
      )}
    </Part>
  );
}

function Told({ event: { type, createdAt, deliveries } }: { event: Event }) {
  return (
    <li>
      <Title order={3} size="h6">
        {capital(eventInWords(type))} <span className="mono">{type}</span>
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

/** How it was sent; why it failed stands behind the link. */
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

/** What one finds behind the link. */
function linkOf({ state, attemptCount }: Sent): string {
  if (state === 'delivered') return 'What was answered';
  return attemptCount === 0 ? 'What is sent' : 'Why, and send it again';
}
