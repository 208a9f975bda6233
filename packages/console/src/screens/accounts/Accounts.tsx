import { Group } from '@mantine/core';
import { callApiPage, type Environment, type QueryOf, studio } from '../../api/studio';
import { useEnvironment } from '../../session/environment';
import { useSearchParams } from '../../shared/search-params';
import { ChoiceFilter, FilterBar, TextFilter, useIsFiltered } from '../../shared/filter-bar';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { Screen } from '../../shared/layout';
import { AccountLink } from '../../shared/orders';
import { StatusBadge } from '../../shared/status';
import { NO_RESULTS, statusLabel } from '../../shared/words';
import { Amount } from '../../shared/money';
import { SendStatements } from '../sends/Sends';
import { CreateAccount } from './AccountForm';
import type { Account } from './account-form';
import { CreditUsed } from './CreditUsed';

export function Accounts() {
  return (
    <Screen title="Accounts" minRole="office" what="accounts and money" actions={<AccountActions />}>
      <AccountFilters />
      <AccountList />
    </Screen>
  );
}

const AccountActions = () => (
  <Group gap="sm">
    <SendStatements />
    <CreateAccount />
  </Group>
);

function AccountList() {
  const [{ q, status, creditUsedOver, sort }] = useSearchParams();
  const [environment] = useEnvironment();
  const filters = { q, status, creditUsedOver, sort };
  const over = creditUsedOver === undefined ? undefined : Number(creditUsedOver);
  const query = { q, status, sort, creditUsedOver: over } as QueryOf<'listAccounts'>;
  const list = useList<Account>(
    ['accounts', 'all', filters],
    (cursor) => callApiPage(studio.GET('/accounts', { params: { query: { ...query, cursor } } })),
    { keepsRows: true },
  );
  return (
    <ListTable
      label="Accounts"
      noun="account"
      list={list}
      columns={columnsIn(environment, list.data?.pages[0]?.rows[0]?.currency ?? '')}
      keyOf={({ id }) => id}
      empty={useIsFiltered() ? NO_RESULTS : 'No accounts yet'}
      csv={`/studio/v1/accounts.csv?${queryOf(filters)}`}
      opens
    />
  );
}

const columnsIn = (environment: Environment, currency: string): readonly Column<Account>[] => [
  { heading: 'Name', width: '22%', wrap: true, sort: 'name', cell: ({ id, name }) => <AccountLink id={id} name={name} fw={600} /> },
  { heading: 'Email', width: '20%', wrap: true, cell: ({ email }) => email },
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

const STATUSES = ['active', 'suspended'].map((value) => ({ value, label: statusLabel(value) }));
const THRESHOLDS = ['50', '75', '90', '100'].map((value) => ({ value, label: `Over ${value}%` }));

function AccountFilters() {
  const [environment] = useEnvironment();
  return (
    <FilterBar label="Filter accounts">
      <TextFilter name="q" label="Search" type="search" placeholder="Name, email or ID" />
      <ChoiceFilter name="status" label="Status" data={STATUSES} />
      {/* The API filters and sorts by live orders only. */}
      <ChoiceFilter name="creditUsedOver" label={environment === 'live' ? 'Credit used' : 'Credit used by live orders'} data={THRESHOLDS} />
    </FilterBar>
  );
}
