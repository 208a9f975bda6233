import { ActionIcon, Badge, Group, Stack, Text, Title, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useHasRole } from '../../session/session';
import { useShortcuts } from '../../shared/shortcuts';
import { useNeighbours } from '../../shared/order-sequence';
import { AccountLink, OrderLinkWithText } from '../../shared/orders';
import { displayStatus } from '../../shared/progress';
import { StatusBadge } from '../../shared/status';
import { statusLabel } from '../../shared/words';
import { Day, Time } from '../../shared/time';
import { useToday } from '../../shared/today';
import { Actions } from './Actions';
import type { Order } from './studio-order';
import { dueInWords } from './words';

export function Header({ order }: { order: Order }) {
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Title order={1}>{order.orderNumber}</Title>
          <StatusBadge of={displayStatus(order)} />
          <Badges order={order} />
        </Group>
        <Group gap="xs" component="section" aria-label="Actions" className="actions">
          <Actions order={order} />
          <Neighbours order={order} />
        </Group>
      </Group>
      <Summary order={order} />
      <Remakes order={order} />
    </Stack>
  );
}

function Badges({ order }: { order: Order }) {
  const badges = [
    ...(order.environment === 'test' ? ['Test order'] : []),
    ...(order.baseStatus === 'on_hold' && order.status !== 'on_hold' ? ['On hold'] : []),
    ...(order.baseStatus === 'cancelled' && order.status !== 'cancelled' ? ['Cancelled after shipping'] : []),
    ...(order.remakeOf === null ? [] : ['Remake']),
    ...(order.rushTier === 'standard' ? [] : [`${statusLabel(order.rushTier)} rush`]),
    ...(order.whiteLabel ? ['White label'] : []),
    ...(order.erasedAt === null ? [] : ['Customer data erased']),
  ];
  return badges.map((badge) => (
    <Badge key={badge} variant="default" tt="none" fw={500}>
      {badge}
    </Badge>
  ));
}

function Summary({ order }: { order: Order }) {
  const { accountId, accountName, reference, createdAt, dueDate, late, promisedReadyDate } = order;
  const isOffice = useHasRole('office');
  const due = dueInWords(order, useToday());
  return (
    <Group gap="4px 20px" fz="sm">
      {isOffice ? <AccountLink id={accountId} name={accountName} underline="always" size="sm" /> : <span>{accountName}</span>}
      {reference !== null && <span className="wraps">Client reference {reference}</span>}
      <span>
        Placed <Time at={createdAt} />
      </span>
      {dueDate !== null && (
        <span>
          {promisedReadyDate === null ? 'Due' : 'Promised'} <Day day={dueDate} />
          {due !== null && (
            <Text span inherit fw={late ? 700 : 400}>
              {late ? ' · ⚠ ' : ' · '}
              {due}
            </Text>
          )}
        </span>
      )}
    </Group>
  );
}

/** Steps through the list from which the order was opened. */
function Neighbours({ order: { orderNumber } }: { order: Order }) {
  const navigate = useNavigate();
  const { previous, next } = useNeighbours(orderNumber);
  const open = (number: string | undefined) => () => {
    if (number !== undefined) void navigate({ to: '/orders/$order', params: { order: number }, replace: true });
  };
  const arrows = [
    ['Previous order', 'k', previous, IconChevronLeft],
    ['Next order', 'j', next, IconChevronRight],
  ] as const;
  useShortcuts(arrows.map(([, key, number]) => [key, open(number)]));
  if (previous === undefined && next === undefined) return null;
  return (
    <Group gap={4} wrap="nowrap">
      {arrows.map(([label, key, number, Icon]) => (
        <Tooltip key={key} label={`${label} (${key})`}>
          <ActionIcon variant="default" size="md" aria-label={label} disabled={number === undefined} onClick={open(number)}>
            <Icon size={18} />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}

function Remakes({ order: { remakeOf, remakes } }: { order: Order }) {
  return (
    <>
      {remakeOf !== null && (
        <Text size="sm">
          Remake of <OrderLinkWithText order={remakeOf.orderId}>{remakeOf.orderNumber}</OrderLinkWithText>, free of charge:{' '}
          {remakeOf.reason}
        </Text>
      )}
      {remakes.map(({ orderId, orderNumber, status, reason }) => (
        <Text key={orderId} size="sm">
          Remade as <OrderLinkWithText order={orderId}>{orderNumber}</OrderLinkWithText> (status: {statusLabel(status).toLowerCase()}):{' '}
          {reason}
        </Text>
      ))}
    </>
  );
}
