import { Checkbox, Group, Stack } from '@mantine/core';
import { page, studio } from '../../api/studio';
import type { Of, QueryOf } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { useAddress } from '../../shared/address';
import { ChoiceFilter, DayFilter } from '../../shared/inputs';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { Money } from '../../shared/money';
import { OrderLink } from '../../shared/orders';
import { UntoldLine } from '../../shared/settings';
import { Status, wordsOf } from '../../shared/status';
import { When } from '../../shared/when';
import type { Account } from './draft';
import { Due, InvoiceDetails } from './InvoiceDetails';
import { InvoiceLink } from './parts';

type Row = Of<'InvoiceRow'>;

export function Invoices({ account }: { account: Account }) {
  const [{ invoice }] = useAddress();
  if (invoice !== undefined) return <InvoiceDetails number={invoice} account={account} />;
  return (
    <Stack gap="md">
      <UntoldLine />
      <InvoiceFilters />
      <InvoiceList accountId={account.id} />
    </Stack>
  );
}

function InvoiceList({ accountId }: { accountId: string }) {
  const [{ state, overdue, from, to, sort }, change] = useAddress();
  const [environment] = useEnvironment();
  const filters = { accountId, environment, state, overdue, from, to, sort };
  const list = useList<Row>(
    ['invoices', `${environment}/${accountId}`, filters],
    (cursor) => page(studio.GET('/invoices', { params: { query: { ...(filters as QueryOf<'listInvoices'>), cursor } } })),
    { keepsRows: true },
  );
  const isFiltered = [state, overdue, from, to].some((value) => value !== undefined);
  return (
    <ListTable
      label="Invoices"
      list={list}
      columns={COLUMNS}
      keyOf={({ invoiceId }) => invoiceId}
      empty={isFiltered ? 'No invoice is like that. Take a filter away.' : 'No invoice yet: each order that is placed makes one.'}
      sort={{ by: sort ?? 'newest', choose: (key) => change({ sort: key === 'newest' ? undefined : key }) }}
      csv={`/studio/v1/invoices.csv?${queryOf(filters)}`}
      open={({ invoiceNumber }) => change({ invoice: invoiceNumber }, 'goes')}
    />
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'Invoice', cell: (invoice) => <InvoiceLink accountId={invoice.accountId} number={invoice.invoiceNumber} /> },
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  { heading: 'State', cell: ({ state }) => <Status of={state} /> },
  { heading: 'Amount', right: true, cell: ({ amountCents, currency }) => <Money cents={amountCents} currency={currency} /> },
  { heading: 'To pay', right: true, sort: 'outstanding', cell: ({ dueCents, currency }) => <Money cents={dueCents} currency={currency} /> },
  { heading: 'Issued', sort: 'newest', cell: ({ issuedAt }) => <When at={issuedAt} /> },
  { heading: 'Due', sort: 'dueDate', cell: (invoice) => <Due of={invoice} /> },
];

const STATES = [
  { value: '', label: 'Any' },
  ...['open', 'part_paid', 'paid', 'credited', 'void'].map((value) => ({ value, label: wordsOf(value) })),
];
const SORTS = [
  { value: '', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'dueDate', label: 'Soonest due: the unpaid' },
  { value: 'outstanding', label: 'Most to pay: the unpaid' },
];

function InvoiceFilters() {
  const [asked, change] = useAddress();
  return (
    <Group align="end" gap="sm">
      <ChoiceFilter label="State" value={asked.state} set={(state) => change({ state })} data={STATES} />
      <DayFilter label="Issued from" value={asked.from} set={(from) => change({ from })} />
      <DayFilter label="To" value={asked.to} set={(to) => change({ to })} />
      <ChoiceFilter label="Sort by" value={asked.sort} set={(sort) => change({ sort })} data={SORTS} />
      <Checkbox
        label="Overdue alone"
        mb={8}
        checked={asked.overdue === 'true'}
        onChange={(event) => change({ overdue: event.currentTarget.checked ? 'true' : undefined })}
      />
    </Group>
  );
}
