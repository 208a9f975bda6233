import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { Further } from '../../shared/further';
import { Status, wordsOf } from '../../shared/status';
import { Day, When } from '../../shared/when';
import type { Order } from './order';
import { OrderLink } from './OrderLink';
import { useToday } from '../../shared/today';
import { dueInWords } from './words';
import { To } from '../../shared/to';

/** What order it is, how it stands and by when it has to leave. */
export function Header({ order }: { order: Order }) {
  return (
    <Stack gap={6}>
      <Group gap="sm">
        <Title order={1}>{order.orderNumber}</Title>
        <Status of={order.status} />
        <Further of={order} />
        <Badges order={order} />
      </Group>
      <Due order={order} />
      <Details order={order} visibleFrom="sm" />
    </Stack>
  );
}

/** Whose it is and where it comes from; on a phone what can be done is before that. */
export function Details({ order, ...shown }: { order: Order; visibleFrom?: 'sm'; hiddenFrom?: 'sm' }) {
  return (
    <Stack gap={6} {...shown}>
      <Group gap="lg">
        <Client order={order} />
        <Text size="sm">
          Placed <When at={order.createdAt} />
        </Text>
        {order.workflowUrl !== null && (
          <Anchor size="sm" href={order.workflowUrl} target="_blank" rel="noreferrer">
            Its workflow in Temporal ↗
          </Anchor>
        )}
      </Group>
      <Remakes order={order} />
    </Stack>
  );
}

/** What changes how it is treated, each in words. */
function Badges({ order }: { order: Order }) {
  const badges = [
    ...(order.environment === 'test' ? ['Test order: nothing is printed or charged'] : []),
    ...(order.baseStatus === 'on_hold' && order.status !== 'on_hold' ? ['On hold'] : []),
    ...(order.baseStatus === 'cancelled' && order.status !== 'cancelled' ? ['Cancelled, and yet a parcel has left'] : []),
    ...(order.remakeOf === null ? [] : ['Remake']),
    ...(order.rushTier === 'standard' ? [] : [`Rush: ${wordsOf(order.rushTier).toLowerCase()}`]),
    ...(order.whiteLabel ? ['White label'] : []),
    ...(order.erasedAt === null ? [] : ["The customer's data was erased"]),
  ];
  return badges.map((badge) => (
    <Badge key={badge} variant="default" tt="none" fw={500} h="auto" className="wraps">
      {badge}
    </Badge>
  ));
}

function Client({ order: { accountId, accountName } }: { order: Order }) {
  if (!useMay('office')) return <Text size="sm">For {accountName}</Text>;
  return (
    <Text size="sm">
      For{' '}
      <To underline="always" to="/accounts/$account" params={{ account: accountId }}>
        {accountName}
      </To>
    </Text>
  );
}

function Due({ order }: { order: Order }) {
  const today = useToday();
  if (order.dueDate === null) return null;
  const words = dueInWords(order, today);
  return (
    <Text size="sm">
      {order.promisedReadyDate === null ? 'Due' : 'Promised for'} <Day day={order.dueDate} />
      {words !== null && (
        <Text span fw={order.late ? 700 : 400}>
          {order.late ? ' · ⚠ ' : ' · '}
          {words}
        </Text>
      )}
    </Text>
  );
}

function Remakes({ order: { remakeOf, remakes } }: { order: Order }) {
  return (
    <>
      {remakeOf !== null && (
        <Text size="sm">
          Makes <OrderLink order={remakeOf.orderId}>{remakeOf.orderNumber}</OrderLink> again, at no charge: {remakeOf.reason}
        </Text>
      )}
      {remakes.map(({ orderId, orderNumber, status, reason }) => (
        <Text key={orderId} size="sm">
          Made again as <OrderLink order={orderId}>{orderNumber}</OrderLink> ({wordsOf(status).toLowerCase()}): {reason}
        </Text>
      ))}
    </>
  );
}
