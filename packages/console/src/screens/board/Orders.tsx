import { Anchor, Box, Button, Group, Image, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { callApiPage, type Environment, type QueryOf, studio } from '../../api/studio';
import { useEnvironment } from '../../session/environment';
import { useHasRole } from '../../session/session';
import type { ActionHandle } from '../../shared/action';
import { useIsFiltered } from '../../shared/filter-bar';
import { type Column, ListTable, queryOf, type Selection, useList } from '../../shared/list';
import { moneyColumn } from '../../shared/money';
import { useKeepSequence } from '../../shared/order-sequence';
import {
  countPieces,
  DueDate,
  OrderBadges,
  OrderLink,
  type OrderRow,
  previewUrl,
  ProgressNote,
  recipientAndReferences,
} from '../../shared/orders';
import { canBeDue, displayStatus } from '../../shared/progress';
import type { Search } from '../../shared/search-params';
import { useStages } from '../../shared/stage-settings';
import { StatusBadge } from '../../shared/status';
import { Time } from '../../shared/time';
import { ACTIONS } from '../order/studio-order';
import { type Batch, BatchDialog } from './BatchDialog';
import { BATCHES, batchTypes, MAX_BATCH } from './batches';

type Query = QueryOf<'listOrders'>;
const PAGE_SIZE = 50;

interface OrdersProps {
  environment: Environment;
  filters: Search;
  /** Number of matching orders, if it is known. */
  total: number | undefined;
}

export function Orders({ environment, filters, total }: OrdersProps) {
  const isOffice = useHasRole('office');
  const [selected, setSelected] = useState<Selection<OrderRow>['selected']>({});
  const [batch, setBatch] = useState<Batch>({ type: 'production_started', orders: [] });
  const batchDialog = useRef<ActionHandle>(null);
  // In a link, `any` is each problem that the person may see, so that links of the office work for the floor.
  const query = { environment, ...filters, ...(filters.attention === 'any' && { attention: isOffice ? 'any' : 'work' }) } as Query;
  const list = useList(
    ['orders', environment, query],
    (cursor) => callApiPage(studio.GET('/orders', { params: { query: { ...query, limit: PAGE_SIZE, cursor } } })),
    { keepsRows: true },
  );
  const filterKey = JSON.stringify(filters);
  const [selectedIn, setSelectedIn] = useState(filterKey);
  if (selectedIn !== filterKey) {
    setSelectedIn(filterKey);
    setSelected({});
  }
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  useKeepSequence(rows);
  return (
    <>
      <ListTable
        label="Orders"
        noun="order"
        list={list}
        total={total}
        columns={columnsFor(rows, filters, isOffice).filter((column) => column !== null)}
        keyOf={({ orderId }) => orderId}
        empty={<Empty environment={environment} filters={filters} />}
        csv={`/studio/v1/orders.csv?${queryOf(query)}`}
        opens
        selection={{
          selected,
          change: setSelected,
          nameOf: ({ orderNumber }) => orderNumber,
          actions: (orders) => (
            <BatchButtons
              orders={orders}
              choose={(chosen) => {
                setBatch(chosen);
                batchDialog.current?.open();
              }}
            />
          ),
        }}
      />
      <BatchDialog
        ref={batchDialog}
        {...batch}
        onResult={(doneIds) => setSelected((before) => Object.fromEntries(Object.entries(before).filter(([id]) => !doneIds.includes(id))))}
      />
    </>
  );
}

/** Documents of several orders. */
const PRINTS = [
  ['job-sheets.pdf', 'Print job sheets'],
  ['cutting-list.pdf', 'Print cutting list'],
] as const;

function BatchButtons({ orders, choose }: { orders: readonly OrderRow[]; choose: (batch: Batch) => void }) {
  const stages = useStages();
  if (orders.length > MAX_BATCH) return <span>Select at most {MAX_BATCH} orders.</span>;
  return (
    <>
      {batchTypes(stages).map((type) => {
        const { accepts, unavailable } = BATCHES[type];
        const accepted = orders.filter(accepts);
        return (
          <Button
            key={type}
            size="compact-sm"
            variant={type === 'production_started' && accepted.length > 0 ? 'filled' : 'default'}
            disabled={accepted.length === 0}
            title={accepted.length === 0 ? unavailable : undefined}
            onClick={() => choose({ type, orders: accepted })}
          >
            {ACTIONS[type].label}
            {accepted.length > 0 && accepted.length < orders.length && ` (${accepted.length})`}
          </Button>
        );
      })}
      {PRINTS.map(([file, label]) => (
        <Button
          key={file}
          size="compact-sm"
          variant="default"
          component="a"
          href={`/studio/v1/${file}?${queryOf({ orders: orders.map(({ orderNumber }) => orderNumber).join(',') })}`}
          target="_blank"
          rel="noreferrer"
        >
          {label}
        </Button>
      ))}
    </>
  );
}

/** Sorting by due date lists unshipped orders only, so it is unavailable for other statuses. */
function columnsFor(rows: readonly OrderRow[], filters: Search, isOffice: boolean): readonly (Column<OrderRow> | null)[] {
  const { heading: total, Amount } = moneyColumn('Total', rows);
  const dueSort = canBeDue(filters.status) ? { sort: 'dueDate', sorted: 'Due date, unshipped only' } : {};
  return [
    { heading: 'Order', cell: (order) => <NumberWithPicture order={order} /> },
    {
      heading: 'Account',
      width: '17%',
      card: 'plain',
      cell: (order) => (
        <>
          <AccountFilter order={order} filters={filters} />
          <Text span inherit hiddenFrom="md">
            {` · ${recipientAndReferences(order).join(' · ')}`}
          </Text>
        </>
      ),
    },
    { heading: 'Recipient, references', width: '19%', card: 'hidden', cell: (order) => <Recipient order={order} /> },
    { heading: 'Status', card: 'aside', cell: (order) => <StatusBadge of={displayStatus(order)} /> },
    { heading: 'Due', ...dueSort, card: 'plain', cell: (order) => <DueDate of={order} /> },
    { heading: 'Placed', card: 'hidden', sort: 'newest', sorted: 'Newest first', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { heading: 'Pieces', card: 'hidden', right: true, cell: countPieces },
    isOffice
      ? {
          heading: total,
          card: 'hidden',
          right: true,
          cell: ({ totalCents, currency }) => <Amount cents={totalCents} currency={currency} />,
        }
      : null,
    {
      heading: 'Notes',
      width: '20%',
      card: 'plain',
      cell: (order) => (
        <>
          <ProgressNote of={order} />
          <OrderBadges of={order} />
        </>
      ),
    },
  ];
}

function NumberWithPicture({ order: { orderNumber, hasPreview } }: { order: OrderRow }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Box w={32} h={32} flex="none" bg="var(--mantine-color-default-border)" bdrs="sm">
        {hasPreview && <Image src={previewUrl(orderNumber, 0, 'small')} alt="" w={32} h={32} radius="sm" loading="lazy" />}
      </Box>
      <OrderLink number={orderNumber} />
    </Group>
  );
}

function Recipient({ order }: { order: OrderRow }) {
  const text = recipientAndReferences(order).join(' · ');
  return <span title={text}>{text}</span>;
}

function AccountFilter({ order: { accountId, accountName }, filters }: { order: OrderRow; filters: Search }) {
  if (filters.accountId === accountId) return accountName;
  return (
    <Anchor
      renderRoot={(props: object) => <Link {...props} to="/board" search={{ ...filters, accountId }} />}
      inherit
      c="inherit"
      underline="hover"
      aria-label={`Show only orders of ${accountName}`}
    >
      {accountName}
    </Anchor>
  );
}

function Empty({ environment, filters }: { environment: Environment; filters: Search }) {
  const [, setEnvironment] = useEnvironment();
  const other = environment === 'live' ? 'test' : 'live';
  if (useIsFiltered())
    return (
      <>
        No {environment} orders found. Clear the filters to see all orders.
        {filters.q !== undefined && ' Searching names and references takes at least 3 letters.'}{' '}
        <Anchor component="button" onClick={() => setEnvironment(other)}>
          Search {other} orders
        </Anchor>
      </>
    );
  if (filters.sort === 'dueDate') return 'No unshipped orders. Clear the filters to see all orders.';
  return `No ${environment} orders yet. Orders appear here as clients place them.`;
}
