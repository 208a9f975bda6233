import { Alert, Anchor, Badge, Group, List, Stack, Text, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { isAboutMoney, Message, Resolve } from '../../shared/attention';
import { known } from '../../shared/known';
import { AccountLink, Further, NamedOrderLink } from '../../shared/orders';
import { Status, wordsOf } from '../../shared/status';
import { To } from '../../shared/to';
import { useToday } from '../../shared/today';
import { Day, When } from '../../shared/when';
import { reasonInWords } from '../../shared/words';
import type { Order } from './order';
import { dueInWords } from './words';

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
      <CancelledAt order={order} />
      <Details order={order} visibleFrom="sm" />
    </Stack>
  );
}

export function Details({ order, ...shown }: { order: Order; visibleFrom?: 'sm'; hiddenFrom?: 'sm' }) {
  return (
    <Stack gap={6} {...shown}>
      <Group gap="lg">
        <Client order={order} />
        <Text size="sm">
          Placed <When at={order.createdAt} />
        </Text>
        <Anchor size="sm" href={order.workflowUrl} target="_blank" rel="noreferrer">
          Its workflow in Temporal ↗
        </Anchor>
      </Group>
      <Remakes order={order} />
    </Stack>
  );
}

function Badges({ order }: { order: Order }) {
  const badges = [
    ...(order.environment === 'test' ? ['Test order: nothing is printed or charged'] : []),
    ...(order.baseStatus === 'on_hold' && order.status !== 'on_hold' ? ['On hold'] : []),
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
      For <AccountLink id={accountId} name={accountName} underline="always" />
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

function CancelledAt({ order: { cancelledAt, status } }: { order: Order }) {
  if (cancelledAt === null) return null;
  return (
    <Text size="sm">
      <b>Cancelled</b> <When at={cancelledAt} />
      {status === 'cancelled' ? '' : '. A parcel has left, so the status does not change.'}
    </Text>
  );
}

function Remakes({ order: { remakeOf, remakes } }: { order: Order }) {
  return (
    <>
      {remakeOf !== null && (
        <Text size="sm">
          Makes <NamedOrderLink order={remakeOf.orderId}>{remakeOf.orderNumber}</NamedOrderLink> again, at no charge: {remakeOf.reason}
        </Text>
      )}
      {remakes.map(({ orderId, orderNumber, status, reason }) => (
        <Text key={orderId} size="sm">
          Made again as <NamedOrderLink order={orderId}>{orderNumber}</NamedOrderLink> ({wordsOf(status).toLowerCase()}): {reason}
        </Text>
      ))}
    </>
  );
}

export function Wish({ order: { job } }: { order: Order }) {
  const wish = job.specialInstructions?.trim() ?? '';
  if (wish === '') return null;
  return (
    <Alert color="yellow" role="note" aria-label="What the client asked for" p="xs" className="wraps">
      <b>Asked for:</b> <span style={{ whiteSpace: 'pre-line' }}>{wish}</span>
    </Alert>
  );
}

/** What the client sees as the reason why the order waits. */
export function Issues({ order: { issues, accountName } }: { order: Order }) {
  if (issues.length === 0) return null;
  return (
    <Alert color="indigo" title={`Issues that ${accountName} sees`} role="group">
      <List size="sm">
        {issues.map(({ code, message }) => (
          <List.Item key={`${code} ${message}`} className="wraps">
            <b>{wordsOf(code)}</b>: {reasonInWords(message)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

type Need = Order['attention'][number];
type Code = Need['code'];

/** What needs a person, above everything else there is to read: each kind once. Of money the floor is not told. */
export function Attention({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const needs = order.attention.filter(({ code }) => mayOffice || !isAboutMoney(code));
  const codes = [...new Set(needs.map(({ code }) => code))];
  return codes.map((code) => <Kind key={code} order={order} code={code} needs={needs.filter((need) => need.code === code)} />);
}

function Kind({ order, code, needs }: { order: Order; code: Code; needs: readonly Need[] }) {
  const mayOffice = useMay('office');
  return (
    <Alert color="yellow" title={wordsOf(code)} role="group">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex={1} miw={200}>
          {needs.map(({ since, message }) => (
            <Text key={`${since} ${message}`} size="sm" className="wraps">
              <Message of={message} />
              <br />
              <Text span size="xs">
                since <When at={since} />
              </Text>
            </Text>
          ))}
          {code === 'PAID_BUT_VOID' && <PaidBack accountId={order.accountId} />}
          <NextStep code={code} />
        </Stack>
        {mayOffice && <Resolve order={order} code={code} beside="others" />}
      </Group>
    </Alert>
  );
}

const NEXT_STEPS: Readonly<Record<string, string>> = {
  PAYMENT_REPEATED: 'If it is one bank line, reverse one of the payments. If it is two, resolve this.',
  ARTWORK_REJECTED: 'It ends when the client sends other artwork, or when you take back the rejection.',
};

function NextStep({ code }: { code: Code }) {
  const words = known(NEXT_STEPS, code);
  return words === undefined ? null : <Text size="sm">{words}</Text>;
}

function PaidBack({ accountId }: { accountId: string }) {
  return (
    <Text size="sm">
      It is credit of the account now:{' '}
      <To to="/accounts/$account" params={{ account: accountId }} search={{ tab: 'payments' }} underline="always" c="inherit">
        pay it back, or use it for other invoices
      </To>
      , then resolve this.
    </Text>
  );
}
