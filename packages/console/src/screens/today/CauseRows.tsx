import { Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { callApiPage, studio } from '../../api/studio';
import type { Schema } from '../../api/types';
import { type EndpointWithHealth, healthOf, countWaiting } from '../../endpoints/health';
import { Recover } from '../../endpoints/Recover';
import { errorWords, hostOf } from '../../endpoints/words';
import { useEnvironment } from '../../session/environment';
import { useMay } from '../../session/session';
import { AttentionMessage, ResolveAttention } from '../../shared/attention';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { Money, usedInPercent } from '../../shared/money';
import { useKeepSequence } from '../../shared/order-sequence';
import { AccountLink, OrderBadges, OrderLink, type OrderRow, ProgressNote } from '../../shared/orders';
import { capitalize, StatusBadge } from '../../shared/status';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';
import { type AttentionCode, CREDIT_WARNING_PERCENT, usePartShippedSearch } from './counts';

const PAGE_SIZE = 10;

type AttentionRow = Schema<'OpenAttention'>;

const ATTENTION_COLUMNS: readonly Column<AttentionRow>[] = [
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Account', cell: ({ accountName }) => accountName },
  { heading: 'Problem', cell: ({ message }) => <AttentionMessage of={message} /> },
  { heading: 'Since', cell: ({ since }) => <Time at={since} /> },
];
const RESOLVE_COLUMN: Column<AttentionRow> = {
  heading: 'Action',
  right: true,
  cell: (row) => <ResolveAttention order={row} code={row.code} />,
};

export function AttentionRows({ code }: { code: AttentionRow['code'] }) {
  const [environment] = useEnvironment();
  const navigate = useNavigate();
  const mayOffice = useMay('office');
  const query = { environment, code: code as AttentionCode };
  const list = useList<AttentionRow>(['attention', environment, code], (cursor) =>
    callApiPage(studio.GET('/attention', { params: { query: { ...query, limit: PAGE_SIZE, cursor } } })),
  );
  useKeepSequence(list.data?.pages.flatMap(({ rows }) => rows));
  return (
    <ListTable
      label="Orders that need attention"
      noun="problem"
      list={list}
      columns={mayOffice ? [...ATTENTION_COLUMNS, RESOLVE_COLUMN] : ATTENTION_COLUMNS}
      keyOf={({ orderId, since, message }) => `${orderId} ${since} ${message}`}
      empty="No orders."
      csv={`/studio/v1/attention.csv?${queryOf(query)}`}
      open={({ orderNumber }) => void navigate({ to: '/orders/$order', params: { order: orderNumber } })}
    />
  );
}

const ENDPOINT_COLUMNS: readonly Column<EndpointWithHealth>[] = [
  {
    heading: 'Endpoint',
    cell: ({ id, url }) => (
      <TextLink to="/deliveries" search={{ endpoint: id }} title={url}>
        {hostOf(url)}
      </TextLink>
    ),
  },
  { heading: 'Account', cell: ({ accountId, accountName }) => <AccountLink id={accountId} name={accountName} /> },
  { heading: 'Status', cell: (row) => <StatusBadge of={healthOf(row)} /> },
  { heading: 'Last error', cell: ({ health }) => (health.lastErrorCode === null ? '–' : capitalize(errorWords(health.lastErrorCode))) },
  { heading: 'Last failure', cell: ({ health }) => <Time at={health.lastFailureAt} /> },
  { heading: 'Waiting', right: true, cell: countWaiting },
  { heading: 'Failed', right: true, cell: ({ deliveries }) => deliveries.failed },
  { heading: 'Action', right: true, cell: (endpoint) => <Recover endpoint={endpoint} /> },
];

export function FailingEndpoints({ failedOrders }: { failedOrders: number }) {
  const [environment] = useEnvironment();
  const list = useList<EndpointWithHealth>(['endpoints', environment, 'failing'], (cursor) => {
    const query = { environment, failing: 'true', limit: PAGE_SIZE, cursor } as const;
    return callApiPage(studio.GET('/webhook-endpoints', { params: { query } }));
  });
  return (
    <>
      <ListTable
        label="Failing endpoints"
        noun="endpoint"
        list={list}
        columns={ENDPOINT_COLUMNS}
        keyOf={({ id }) => id}
        empty="No failing endpoints. Recover missed webhooks in Deliveries."
      />
      <Group mt="xs" gap="md">
        {failedOrders > 0 && (
          <TextLink to="/board" search={{ attention: 'DELIVERY_FAILED' }} size="sm">
            Orders with undelivered webhooks
          </TextLink>
        )}
        <TextLink to="/deliveries" search={{ state: 'failed' }} size="sm">
          Failed deliveries
        </TextLink>
      </Group>
    </>
  );
}

const PART_SHIPPED_COLUMNS: readonly Column<OrderRow>[] = [
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Account', cell: ({ accountName }) => accountName },
  { heading: 'Progress', cell: (order) => <ProgressNote of={order} /> },
  { heading: 'Placed', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { heading: 'Notes', cell: (order) => <OrderBadges of={order} /> },
];

export function PartShippedOrders() {
  const [environment] = useEnvironment();
  const search = usePartShippedSearch();
  const list = useList<OrderRow>(['orders', environment, 'part shipped', search], (cursor) =>
    callApiPage(studio.GET('/orders', { params: { query: { environment, ...search, limit: PAGE_SIZE, cursor } } })),
  );
  useKeepSequence(list.data?.pages.flatMap(({ rows }) => rows));
  return (
    <ListTable
      label="Partly shipped orders"
      noun="order"
      list={list}
      columns={PART_SHIPPED_COLUMNS}
      keyOf={({ orderId }) => orderId}
      empty="No orders."
    />
  );
}

type Account = Schema<'Account'>;

const ACCOUNT_COLUMNS: readonly Column<Account>[] = [
  { heading: 'Account', cell: ({ id, name }) => <AccountLink id={id} name={name} /> },
  { heading: 'Used', right: true, cell: ({ live: { usedBps } }) => (usedBps === null ? '–' : usedInPercent(usedBps)) },
  { heading: 'Outstanding', right: true, cell: ({ live, currency }) => <Money cents={live.outstandingCents} currency={currency} /> },
  {
    heading: 'Credit limit',
    right: true,
    cell: ({ creditLimitCents, currency }) => <Money cents={creditLimitCents} currency={currency} />,
  },
  { heading: 'Available', right: true, cell: ({ live, currency }) => <Money cents={live.availableCents} currency={currency} /> },
];

export function AccountsNearLimit() {
  const list = useList<Account>(['accounts', 'near limit'], (cursor) => {
    const query = { creditUsedOver: CREDIT_WARNING_PERCENT, sort: 'creditUsed', limit: PAGE_SIZE, cursor } as const;
    return callApiPage(studio.GET('/accounts', { params: { query } }));
  });
  return (
    <ListTable
      label="Accounts near their limit"
      noun="account"
      list={list}
      columns={ACCOUNT_COLUMNS}
      keyOf={({ id }) => id}
      empty="No accounts."
    />
  );
}
