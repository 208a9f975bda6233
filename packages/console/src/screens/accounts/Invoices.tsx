import { Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { page, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import type { paths } from '../../generated/studio';
import { useEnvironment } from '../../session/environment';
import { useAddress } from '../../shared/address';
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
type Query = NonNullable<paths['/invoices']['get']['parameters']['query']>;

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
    (cursor) => page(studio.GET('/invoices', { params: { query: { ...(filters as Query), cursor } } })),
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
  {
    heading: 'Order',
    cell: ({ orderNumber }) => <OrderLink number={orderNumber} />,
  },
  { heading: 'State', cell: ({ state }) => <Status of={state} /> },
  { heading: 'Amount', right: true, cell: ({ amountCents, currency }) => <Money cents={amountCents} currency={currency} /> },
  { heading: 'To pay', right: true, sort: 'outstanding', cell: ({ dueCents, currency }) => <Money cents={dueCents} currency={currency} /> },
  { heading: 'Issued', sort: 'newest', cell: ({ issuedAt }) => <When at={issuedAt} /> },
  { heading: 'Due', sort: 'dueDate', cell: (invoice) => <Due of={invoice} /> },
];

const STATES = ['open', 'part_paid', 'paid', 'credited', 'void'];
const SORTS = [
  { value: '', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'dueDate', label: 'Soonest due: the unpaid' },
  { value: 'outstanding', label: 'Most to pay: the unpaid' },
];

function InvoiceFilters() {
  const [asked, change] = useAddress();
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={asked[name] ?? ''}
      onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <Group align="end" gap="sm">
      <NativeSelect
        label="State"
        value={asked.state ?? ''}
        onChange={(event) => change({ state: event.currentTarget.value || undefined })}
        data={[{ value: '', label: 'Any' }, ...STATES.map((value) => ({ value, label: wordsOf(value) }))]}
      />
      {day('from', 'Issued from')}
      {day('to', 'To')}
      <NativeSelect
        label="Sort by"
        value={asked.sort ?? ''}
        onChange={(event) => change({ sort: event.currentTarget.value || undefined })}
        data={SORTS}
      />
      <Checkbox
        label="Overdue alone"
        mb={8}
        checked={asked.overdue === 'true'}
        onChange={(event) => change({ overdue: event.currentTarget.checked ? 'true' : undefined })}
      />
    </Group>
  );
}
