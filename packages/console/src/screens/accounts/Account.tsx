import { Group, Stack, Tabs, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { accountQuery } from '../../api/reads';
import { useMay } from '../../session/session';
import { useAddress } from '../../shared/address';
import { Id } from '../../shared/copy';
import { Status } from '../../shared/status';
import { useTitle } from '../../shared/title';
import { To } from '../../shared/to';
import { Refused, Waiting } from '../../shared/told';
import type { Account as AccountOf } from './draft';
import { Endpoints } from './Endpoints';
import { Invoices } from './Invoices';
import { Keys } from './Keys';
import { Overview } from './Overview';
import { OfficeOnly } from './parts';
import { Payments } from './Payments';
import { Statement } from './Statement';

export function Account() {
  const { account: id = '' } = useParams({ strict: false });
  const { data } = useQuery({ ...accountQuery(id), enabled: useMay('office') });
  useTitle(data?.name ?? 'Account');
  return (
    <OfficeOnly title="Account">
      <Found />
    </OfficeOnly>
  );
}

function Found() {
  const { account: id = '' } = useParams({ strict: false });
  const { data: account, error, isPending, refetch } = useQuery(accountQuery(id));
  if (isPending) return <Waiting what="Reading the account" />;
  if (account === undefined)
    return (
      <>
        <Title order={1}>Account</Title>
        <Refused error={error} retry={() => void refetch()} />
      </>
    );
  return <Shown account={account} />;
}

function Shown({ account }: { account: AccountOf }) {
  return (
    <Stack gap="sm">
      <To to="/accounts" size="sm">
        All accounts
      </To>
      <Group gap="sm">
        <Title order={1}>{account.name}</Title>
        <Status of={account.status} />
        <Id of={account.id} />
      </Group>
      <AccountTabs account={account} />
    </Stack>
  );
}

const TABS = [
  { tab: 'overview', name: 'Overview', Panel: Overview },
  { tab: 'invoices', name: 'Invoices', Panel: Invoices },
  { tab: 'payments', name: 'Payments', Panel: Payments },
  { tab: 'statement', name: 'Statement', Panel: Statement },
  { tab: 'endpoints', name: 'Endpoints', Panel: Endpoints },
  { tab: 'keys', name: 'Keys', Panel: Keys },
] as const;

/** Keys are the admins'. What one tab has in the address is nothing to the next. */
function AccountTabs({ account }: { account: AccountOf }) {
  const [{ tab, ...others }, change] = useAddress();
  const isAdmin = useMay('admin');
  const shown = TABS.filter((one) => one.tab !== 'keys' || isAdmin);
  const { tab: open } = shown.find((one) => one.tab === tab) ?? shown[0] ?? TABS[0];
  const cleared = Object.fromEntries(Object.keys(others).map((name) => [name, undefined]));
  return (
    <Tabs
      value={open}
      onChange={(next) => change({ ...cleared, tab: next === 'overview' || next === null ? undefined : next }, 'goes')}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {shown.map((one) => (
          <Tabs.Tab key={one.tab} value={one.tab}>
            {one.name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map(({ tab: value, Panel }) => (
        <Tabs.Panel key={value} value={value}>
          <Panel account={account} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
