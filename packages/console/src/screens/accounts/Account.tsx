import { Group, Stack, Tabs, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { accountQuery } from '../../api/reads';
import { useHasRole } from '../../session/session';
import { OnlyFor } from '../../shared/layout';
import { useSearchParams } from '../../shared/search-params';
import { Id } from '../../shared/copy';
import { StatusBadge } from '../../shared/status';
import { useTitle } from '../../shared/title';
import { TextLink } from '../../shared/text-link';
import { Loaded } from '../../shared/feedback';
import type { Account as AccountResource } from './account-form';
import { Endpoints } from './Endpoints';
import { InvoiceList } from '../../billing/InvoiceList';
import { SendList } from '../../billing/SendList';
import { Keys } from './Keys';
import { Overview } from './Overview';
import { Payments } from './Payments';
import { Statement } from './Statement';

export function Account() {
  const { account: id = '' } = useParams({ strict: false });
  const query = useQuery({ ...accountQuery(id), enabled: useHasRole('office') });
  useTitle(query.data?.name ?? 'Account');
  return (
    <OnlyFor minRole="office" what="accounts and money" title="Account">
      <Loaded query={query} what="Loading the account">
        {(account) => (
          <Stack gap="sm">
            <TextLink to="/accounts" size="sm">
              All accounts
            </TextLink>
            <Group gap="sm">
              <Title order={1}>{account.name}</Title>
              <StatusBadge of={account.status} />
              <Id of={account.id} />
            </Group>
            <AccountTabs account={account} />
          </Stack>
        )}
      </Loaded>
    </OnlyFor>
  );
}

const TABS = [
  { tab: 'overview', name: 'Overview', Panel: Overview },
  { tab: 'invoices', name: 'Invoices', Panel: ({ account }: { account: AccountResource }) => <InvoiceList accountId={account.id} /> },
  { tab: 'payments', name: 'Payments', Panel: Payments },
  { tab: 'statement', name: 'Statement', Panel: Statement },
  {
    tab: 'mails',
    name: 'Mails',
    Panel: ({ account }: { account: AccountResource }) => <SendList filter={{ accountId: account.id }} empty="No documents sent yet" />,
  },
  { tab: 'endpoints', name: 'Webhook endpoints', Panel: Endpoints },
  { tab: 'keys', name: 'API keys', Panel: Keys },
] as const;

/** Only admins see keys. A change of the tab clears the parameters of the last one. */
function AccountTabs({ account }: { account: AccountResource }) {
  const [{ tab, ...others }, change] = useSearchParams();
  const isAdmin = useHasRole('admin');
  const tabs = TABS.filter((each) => each.tab !== 'keys' || isAdmin);
  const open = tabs.find((each) => each.tab === tab)?.tab ?? 'overview';
  const cleared = Object.fromEntries(Object.keys(others).map((name) => [name, undefined]));
  return (
    <Tabs
      value={open}
      onChange={(next) => change({ ...cleared, tab: next === 'overview' || next === null ? undefined : next }, 'push')}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {tabs.map((each) => (
          <Tabs.Tab key={each.tab} value={each.tab}>
            {each.name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ tab: value, Panel }) => (
        <Tabs.Panel key={value} value={value}>
          <Panel account={account} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
