import { Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { callApiPage, type Environment, type QueryOf, studio } from '../../api/studio';
import { useEnvironment } from '../../session/environment';
import { useSearchParams } from '../../shared/search-params';
import { ChoiceFilter, TextFilter } from '../../shared/inputs';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { Screen } from '../../shared/layout';
import { AccountLink } from '../../shared/orders';
import { StatusBadge } from '../../shared/status';
import { NO_RESULTS } from '../../shared/words';
import { Amount } from '../../shared/money';
import { CreateAccount } from './AccountForm';
import type { Account } from './account-form';
import { CreditUsed } from './CreditUsed';

export function Accounts() {
  return (
    <Screen title="Accounts" minRole="office" what="accounts and money" actions={<CreateAccount />}>
      <AccountFilters />
      <AccountList />
    </Screen>
  );
}

function AccountList() {
  const [{ q, status, creditUsedOver, sort }, change] = useSearchParams();
  const [environment] = useEnvironment();
  const navigate = useNavigate();
  const filters = { q, status, creditUsedOver, sort };
  const over = creditUsedOver === undefined ? undefined : Number(creditUsedOver);
  const query = { q, status, sort, creditUsedOver: over } as QueryOf<'listAccounts'>;
  const list = useList<Account>(
    ['accounts', 'all', filters],
    (cursor) => callApiPage(studio.GET('/accounts', { params: { query: { ...query, cursor } } })),
    { keepsRows: true },
  );
  const isFiltered = [q, status, creditUsedOver].some((value) => value !== undefined);
  return (
    <ListTable
      label="Accounts"
      noun="account"
      list={list}
      columns={columnsIn(environment, list.data?.pages[0]?.rows[0]?.currency ?? '')}
      keyOf={({ id }) => id}
      empty={isFiltered ? NO_RESULTS : 'No accounts yet'}
      sort={{ by: sort ?? 'newest', choose: (key) => change({ sort: key === sort ? undefined : key }) }}
      csv={`/studio/v1/accounts.csv?${queryOf(filters)}`}
      open={({ id }) => void navigate({ to: '/accounts/$account', params: { account: id } })}
    />
  );
}

const columnsIn = (environment: Environment, currency: string): readonly Column<Account>[] => [
  { heading: 'Name', width: '22%', sort: 'name', cell: ({ id, name }) => <AccountLink id={id} name={name} fw={600} /> },
  { heading: 'Email', width: '20%', cell: ({ email }) => email },
  { heading: 'Status', card: 'aside', cell: ({ status }) => (status === 'active' ? 'Active' : <StatusBadge of={status} />) },
  {
    heading: environment === 'live' ? 'Credit used' : 'Credit used by test orders',
    // The API sorts by live orders only.
    ...(environment === 'live' && { sort: 'creditUsed' }),
    cell: (account) => <CreditUsed account={account} usedBps={account[environment].usedBps} />,
  },
  { heading: `Outstanding (${currency})`, right: true, cell: (account) => <Amount cents={account[environment].outstandingCents} /> },
  { heading: `Credit (${currency})`, right: true, cell: (account) => <Amount cents={account[environment].creditCents} /> },
];

function AccountFilters() {
  const [filters, change] = useSearchParams();
  const [environment] = useEnvironment();
  // The API filters and sorts by live orders only.
  const used = environment === 'live' ? 'Credit used' : 'Credit used by live orders';
  return (
    <Group align="end" gap="sm">
      <TextFilter
        label="Search"
        type="search"
        size="sm"
        flex="1 1 14rem"
        placeholder="Name, email or ID"
        maxLength={200}
        value={filters.q ?? ''}
        set={(q) => change({ q: q || undefined })}
      />
      <ChoiceFilter
        label="Status"
        size="sm"
        value={filters.status}
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
        value={filters.creditUsedOver}
        set={(creditUsedOver) => change({ creditUsedOver })}
        data={[
          { value: '', label: 'Any' },
          ...['50', '75', '90', '100'].map((value) => ({ value, label: `Over ${value}%` })),
          ...customThreshold(filters.creditUsedOver),
        ]}
      />
    </Group>
  );
}

/** A threshold from the URL that is not in the choices. */
function customThreshold(over: string | undefined) {
  return over === undefined || ['50', '75', '90', '100'].includes(over) ? [] : [{ value: over, label: `Over ${over}%` }];
}
