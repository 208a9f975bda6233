import { Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { To } from '../../shared/to';
import { page, studio } from '../../api/studio';
import type { paths } from '../../generated/studio';
import { useEnvironment } from '../../session/environment';
import { ListTable, queryOf, useList, type Column } from '../../shared/list';
import { Money } from '../../shared/money';
import { Status } from '../../shared/status';
import { useTitle } from '../../shared/title';
import { When } from '../../shared/when';
import { AccountFilters } from './AccountFilters';
import { useAddress } from '../../shared/address';
import { CreditUsed } from './CreditUsed';
import { percentOf, type Account } from './draft';
import { OfficeOnly } from './OfficeOnly';
import { OpenAccount } from './OpenAccount';

type Query = NonNullable<paths['/accounts']['get']['parameters']['query']>;

/** Every account with what it owes and may still order. */
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
  const query = { q, status, sort, creditUsedOver: over } as Query;
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
  { heading: 'Outstanding', right: true, cell: (account) => <Money cents={account[environment].outstandingCents} /> },
  { heading: 'Credit', right: true, cell: (account) => <Money cents={account[environment].creditCents} /> },
  { heading: 'Opened', sort: 'newest', cell: ({ createdAt }) => <When at={createdAt} /> },
];

function NameOf({ account: { id, name, email } }: { account: Account }) {
  return (
    <div>
      <To to="/accounts/$account" params={{ account: id }} fw={600}>
        {name}
      </To>
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
    </div>
  );
}
