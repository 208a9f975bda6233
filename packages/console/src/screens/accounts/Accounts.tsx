import { Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { page, studio } from '../../api/studio';
import type { QueryOf } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { useAddress } from '../../shared/address';
import { ChoiceFilter, Typed } from '../../shared/inputs';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { Money } from '../../shared/money';
import { AccountLink } from '../../shared/orders';
import { Status } from '../../shared/status';
import { useTitle } from '../../shared/title';
import { When } from '../../shared/when';
import { OpenAccount } from './AccountForm';
import { type Account, percentOf } from './draft';
import { CreditUsed, OfficeOnly } from './parts';

export function Accounts() {
  useTitle('Accounts');
  return (
    <OfficeOnly title="Accounts">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={1}>Accounts</Title>
          <OpenAccount />
        </Group>
        <AccountFilters />
        <AccountList />
      </Stack>
    </OfficeOnly>
  );
}

function AccountList() {
  const [{ q, status, creditUsedOver, sort }, change] = useAddress();
  const [environment] = useEnvironment();
  const navigate = useNavigate();
  const filters = { q, status, creditUsedOver, sort };
  const over = creditUsedOver === undefined ? undefined : Number(creditUsedOver);
  const query = { q, status, sort, creditUsedOver: over } as QueryOf<'listAccounts'>;
  const list = useList<Account>(
    ['accounts', 'all', filters],
    (cursor) => page(studio.GET('/accounts', { params: { query: { ...query, cursor } } })),
    { keepsRows: true },
  );
  const isFiltered = [q, status, creditUsedOver].some((value) => value !== undefined);
  return (
    <ListTable
      label="Accounts"
      list={list}
      columns={columnsIn(environment)}
      keyOf={({ id }) => id}
      empty={isFiltered ? 'No account is like that. Take a filter away.' : 'There is no account yet. “Open an account” makes the first.'}
      sort={{ by: sort ?? 'newest', choose: (key) => change({ sort: key === 'newest' ? undefined : key }) }}
      csv={`/studio/v1/accounts.csv?${queryOf(filters)}`}
      open={({ id }) => void navigate({ to: '/accounts/$account', params: { account: id } })}
    />
  );
}

const columnsIn = (environment: 'live' | 'test'): readonly Column<Account>[] => [
  { heading: 'Name', sort: 'name', cell: (account) => <NameOf account={account} /> },
  { heading: 'Status', cell: ({ status }) => <Status of={status} /> },
  { heading: 'Discount', right: true, cell: ({ tradeDiscountBps }) => percentOf(tradeDiscountBps) },
  {
    heading: environment === 'live' ? 'Credit used' : 'Credit used by test orders',
    // It is sorted by live orders alone.
    ...(environment === 'live' && { sort: 'creditUsed' }),
    cell: (account) => <CreditUsed account={account} standing={account[environment]} />,
  },
  {
    heading: 'Outstanding',
    right: true,
    cell: (account) => <Money cents={account[environment].outstandingCents} currency={account.currency} />,
  },
  { heading: 'Credit', right: true, cell: (account) => <Money cents={account[environment].creditCents} currency={account.currency} /> },
  { heading: 'Opened', sort: 'newest', cell: ({ createdAt }) => <When at={createdAt} /> },
];

function NameOf({ account: { id, name, email } }: { account: Account }) {
  return (
    <div>
      <AccountLink id={id} name={name} fw={600} />
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
    </div>
  );
}

function AccountFilters() {
  const [asked, change] = useAddress();
  const [environment] = useEnvironment();
  // The API narrows and sorts by live orders, whatever is shown beside it.
  const used = environment === 'live' ? 'Credit used' : 'Credit used by live orders';
  return (
    <Group align="end" gap="sm">
      <Typed
        label="Find"
        type="search"
        size="sm"
        flex="1 1 14rem"
        placeholder="Name, e-mail or id"
        maxLength={200}
        value={asked.q ?? ''}
        set={(q) => change({ q: q || undefined })}
      />
      <ChoiceFilter
        label="Status"
        size="sm"
        value={asked.status}
        set={(status) => change({ status })}
        data={[
          { value: '', label: 'Any' },
          { value: 'active', label: 'Active' },
          { value: 'suspended', label: 'Suspended' },
        ]}
      />
      <ChoiceFilter
        label={used}
        size="sm"
        title="Of live orders"
        value={asked.creditUsedOver}
        set={(creditUsedOver) => change({ creditUsedOver })}
        data={[
          { value: '', label: 'Any' },
          ...['50', '75', '90', '100'].map((value) => ({ value, label: `Over ${value} %` })),
          ...otherThan(asked.creditUsedOver),
        ]}
      />
      <ChoiceFilter
        label="Sort by"
        size="sm"
        value={asked.sort}
        set={(sort) => change({ sort })}
        data={[
          { value: '', label: 'Newest first' },
          { value: 'name', label: 'Name' },
          { value: 'creditUsed', label: `${used}, most first` },
        ]}
      />
    </Group>
  );
}

/** One that a link names and the choices do not. */
function otherThan(over: string | undefined) {
  return over === undefined || ['50', '75', '90', '100'].includes(over) ? [] : [{ value: over, label: `Over ${over} %` }];
}
