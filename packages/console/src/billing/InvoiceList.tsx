import { Button, Paper, SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { callApi, callApiPage, type QueryOf, type Schema, studio } from '../api/studio';
import { useEnvironment } from '../session/environment';
import { ErrorAlert } from '../shared/feedback';
import { ActionButtons, type ActionHandle } from '../shared/action';
import { AccountFilter } from '../shared/account-filter';
import { ChoiceFilter, DayFilter, FilterBar, TextFilter, useIsFiltered } from '../shared/filter-bar';
import { type Column, ListTable, queryOf, useList } from '../shared/list';
import { AccountLink, OrderLink } from '../shared/orders';
import { useSearchParams } from '../shared/search-params';
import { MissingBusinessDetailsNote } from '../shared/settings';
import { AMOUNT_DUE, NO_RESULTS, RECORD_PAYMENT, statusLabel } from '../shared/words';
import { Day } from '../shared/time';
import { Amount } from '../shared/money';
import { InvoiceLink, InvoiceStatus } from './parts';
import { RecordPayment } from './RecordPayment';
import { Tile } from './Tile';

type Row = Schema<'InvoiceRow'>;
type Query = QueryOf<'listInvoices'>;

/** Invoices of one account, or of all, with their ageing and filters. */
export function InvoiceList({ accountId }: { accountId?: string }) {
  return (
    <Stack gap="md">
      <MissingBusinessDetailsNote />
      <AgeingTiles accountId={accountId} />
      <FilterBar label="Filter invoices">
        <TextFilter name="q" label="Search" type="search" placeholder="Invoice, order or credit note" />
        {accountId === undefined && <AccountFilter name="account" />}
        <ChoiceFilter name="state" label="Status" data={STATES} />
        <DayFilter name="from" label="Issued from" />
        <DayFilter name="to" label="Issued until" />
      </FilterBar>
      <InvoiceTable accountId={accountId} />
    </Stack>
  );
}

const AGES = [
  ['current', 'Current'],
  ['days1To30', '1–30 days overdue'],
  ['days31To60', '31–60 days overdue'],
  ['days61Plus', '61+ days overdue'],
] as const;

/** The amounts due by age of the invoices that match the filters. A tile filters the list below, and a second click clears the filter. */
function AgeingTiles({ accountId }: { accountId: string | undefined }) {
  const [environment] = useEnvironment();
  const [{ bucket: chosen, account, q, state, from, to, overdue }, change] = useSearchParams();
  const query = { environment, accountId: accountId ?? account, q, state, from, to, overdue } as QueryOf<'getInvoiceAgeing'>;
  const { data, error, refetch } = useQuery({
    queryKey: ['invoices', 'ageing', query],
    queryFn: () => callApi(studio.GET('/invoices/ageing', { params: { query } })),
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <ErrorAlert error={error} retry={() => void refetch()} />;
  if (data === undefined) return null;
  const { buckets, paidThisMonth } = data;
  const tiles = [
    ...AGES.map(([bucket, label]) => [bucket, label, buckets[bucket].invoices, buckets[bucket].dueCents] as const),
    ['paidThisMonth', 'Payments this month', paidThisMonth.invoices, paidThisMonth.paidCents] as const,
  ];
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs" role="group" aria-label="Amounts due by age">
      {tiles.map(([bucket, label, count, cents]) => (
        <Paper
          key={bucket}
          className="mantine-focus-auto"
          component="button"
          type="button"
          ta="left"
          withBorder
          px="sm"
          py="xs"
          aria-pressed={bucket === chosen}
          {...(bucket === chosen && { bg: 'var(--mantine-primary-color-light)' })}
          onClick={() => change({ bucket: bucket === chosen ? undefined : bucket })}
        >
          <Tile label={label} cents={cents} count={count} noun="invoice" />
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function InvoiceTable({ accountId }: { accountId: string | undefined }) {
  const [{ q, account, state, from, to, overdue, bucket, sort }] = useSearchParams();
  const [environment] = useEnvironment();
  const filters = { environment, accountId: accountId ?? account, q, state, from, to, overdue, bucket, sort };
  const list = useList<Row>(
    ['invoices', `${environment}/${accountId ?? 'all'}`, filters],
    (cursor) => callApiPage(studio.GET('/invoices', { params: { query: { ...(filters as Query), cursor } } })),
    { keepsRows: true },
  );
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const currency = rows[0]?.currency ?? '';
  const [opened, setOpened] = useState<Row | null>(null);
  const dialog = useRef<ActionHandle>(null);
  const openPayment = (invoice: Row): void => {
    flushSync(() => setOpened(invoice));
    dialog.current?.open();
  };
  // The row can leave the list meanwhile, and the dialog keeps what was typed.
  const payer = rows.find(({ invoiceId }) => invoiceId === opened?.invoiceId) ?? opened;
  return (
    <>
      <ListTable
        label="Invoices"
        noun="invoice"
        list={list}
        columns={[
          ...columnsIn(currency).filter(({ heading }) => accountId === undefined || heading !== 'Account'),
          { heading: '', cell: (invoice) => <PayButton invoice={invoice} open={() => openPayment(invoice)} /> },
        ]}
        keyOf={({ invoiceId }) => invoiceId}
        empty={useIsFiltered() ? NO_RESULTS : 'No invoices yet. Each order creates one.'}
        csv={`/studio/v1/invoices.csv?${queryOf(filters)}`}
        opens
      />
      {payer !== null && (
        <ActionButtons shown={false}>
          <RecordPayment key={payer.invoiceId} ref={dialog} payer={payer} invoice={payer} />
        </ActionButtons>
      )}
    </>
  );
}

const columnsIn = (currency: string): readonly Column<Row>[] => [
  { heading: 'Invoice', cell: ({ invoiceNumber }) => <InvoiceLink number={invoiceNumber} /> },
  { heading: 'Account', width: '22%', wrap: true, cell: ({ accountId, accountName }) => <AccountLink id={accountId} name={accountName} /> },
  { heading: 'Order', card: 'hidden', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'Status', card: 'aside', cell: (invoice) => <InvoiceStatus of={invoice} /> },
  { heading: `Total (${currency})`, right: true, card: 'hidden', cell: ({ amountCents }) => <Amount cents={amountCents} /> },
  { heading: `${AMOUNT_DUE} (${currency})`, right: true, sort: 'outstanding', cell: ({ dueCents }) => <Amount cents={dueCents} /> },
  { heading: 'Due', sort: 'dueDate', cell: ({ dueDate }) => <Day day={dueDate} /> },
];

function PayButton({ invoice: { dueCents, invoiceNumber }, open }: { invoice: Row; open: () => void }) {
  if (dueCents <= 0) return null;
  return (
    <Button size="compact-sm" variant="default" aria-label={`${RECORD_PAYMENT} for ${invoiceNumber}`} onClick={open}>
      {RECORD_PAYMENT}
    </Button>
  );
}

const STATES = ['open', 'part_paid', 'paid', 'credited', 'void'].map((value) => ({ value, label: statusLabel(value) }));
