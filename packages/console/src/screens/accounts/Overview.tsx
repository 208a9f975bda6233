import { Alert, Anchor, Checkbox, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask, studio } from '../../api/studio';
import type { Known } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { useMay } from '../../session/session';
import { Action } from '../../shared/action';
import { useFields } from '../../shared/fields';
import { Money } from '../../shared/money';
import { FactList, Part } from '../../shared/part';
import { To } from '../../shared/to';
import { Refused, Waiting } from '../../shared/told';
import { When } from '../../shared/when';
import { EditAccount } from './AccountForm';
import { type Account, limitWords, percentOf } from './draft';
import { CreditUsed } from './parts';

export function Overview({ account }: { account: Account }) {
  const isAdmin = useMay('admin');
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Details account={account} />
        <Owed account={account} />
      </SimpleGrid>
      <Part title="What it may do">
        <Stack gap="sm">
          <Standing account={account} />
          <ApiAccess account={account} />
        </Stack>
      </Part>
      {isAdmin && <Erase account={account} />}
    </Stack>
  );
}

function Details({ account }: { account: Account }) {
  const { currency } = account;
  return (
    <Part title="Details" beside={<EditAccount account={account} currency={currency} />}>
      <FactList
        facts={{
          Name: account.name,
          'E-mail': (
            <Anchor inherit href={`mailto:${account.email}`}>
              {account.email}
            </Anchor>
          ),
          'Trade discount': percentOf(account.tradeDiscountBps),
          'Credit limit': limitWords(account.creditLimitCents, currency),
          'Payment terms': `${account.paymentTermsDays} days`,
          Opened: <When at={account.createdAt} />,
        }}
      />
    </Part>
  );
}

function Owed({ account }: { account: Account }) {
  const [environment] = useEnvironment();
  const { currency } = account;
  const standing = account[environment];
  const available = standing.availableCents;
  return (
    <Part title={environment === 'test' ? 'What it owes, of test orders' : 'What it owes'}>
      <FactList
        facts={{
          Outstanding: <Money cents={standing.outstandingCents} currency={currency} />,
          Credit: <Money cents={standing.creditCents} currency={currency} />,
          'May still order': available === null ? 'without limit' : <Money cents={available} currency={currency} />,
          'Credit used': <CreditUsed account={account} standing={standing} />,
        }}
      />
      <Text size="sm" mt="sm">
        <To to="/board" search={{ accountId: account.id }}>
          Its orders on the board
        </To>
      </Text>
    </Part>
  );
}

type Rights = Partial<{ status: Known<Account['status']>; apiAccess: boolean }>;

const changed = (account: Account, body: Rights) => ask(studio.PATCH('/accounts/{id}', { params: { path: { id: account.id } }, body }));

/** Whether it may order at all. Each action has its key, so that one's dialog is not the other's. */
function Standing({ account }: { account: Account }) {
  if (account.status === 'suspended')
    return (
      <Line words="Suspended: new orders are refused, those that run go on.">
        <Action
          key="activate"
          label="Activate"
          title={`Activate ${account.name}`}
          says={['The client can order again at once, with the keys it has. It is not told.']}
          repeats="safely"
          run={() => changed(account, { status: 'active' })}
          done={({ name }) => `${name} is active`}
        />
      </Line>
    );
  return (
    <Line words="Active: it may order.">
      <Action
        key="suspend"
        label="Suspend"
        title={`Suspend ${account.name}`}
        danger
        says={[
          'All its keys are refused from now on: no prices, no new orders, no look at orders, no cancelling.',
          'Orders that run go on: they are made, shipped and billed, and its webhooks still tell of them.',
          'The client is not told. “Activate” takes it back.',
        ]}
        repeats="safely"
        run={() => changed(account, { status: 'suspended' })}
        done={({ name }) => `${name} is suspended`}
      />
    </Line>
  );
}

function ApiAccess({ account }: { account: Account }) {
  if (!account.apiAccess)
    return (
      <Line words="No API access: its keys are refused.">
        <Action
          key="give"
          label="Give API access"
          says={[`The keys of ${account.name} work again at once. The client is not told.`]}
          repeats="safely"
          run={() => changed(account, { apiAccess: true })}
          done={({ name }) => `${name} has API access`}
        />
      </Line>
    );
  return (
    <Line words="API access: its keys work.">
      <Action
        key="withdraw"
        label="Withdraw API access"
        danger
        says={[
          `Every key of ${account.name} is refused from now on, and none has to be revoked.`,
          'Orders that run go on, and its webhooks still tell of them. The client is not told.',
        ]}
        repeats="safely"
        run={() => changed(account, { apiAccess: false })}
        done={({ name }) => `${name} has no API access`}
      />
    </Line>
  );
}

function Line({ words, children }: { words: string; children: React.ReactNode }) {
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm">{words}</Text>
      {children}
    </Group>
  );
}

const erase = (id: string, body: { before: string; dryRun: boolean }) =>
  ask(studio.POST('/accounts/{id}/erase', { params: { path: { id } }, body }));

function Erase({ account }: { account: Account }) {
  const { fields, checkbox, typed, clear } = useFields(() => ({ before: '', isSure: false }));
  const { before, isSure } = fields;
  const count = useQuery({
    queryKey: ['erasable', account.id, before],
    queryFn: () => erase(account.id, { before, dryRun: true }),
    enabled: before !== '',
    staleTime: 0,
  });
  const found = count.data === undefined ? 0 : count.data.orders + count.data.quotes + count.data.artwork;
  return (
    <Part title="Personal data">
      <Group justify="space-between" gap="sm">
        <Text size="sm">Names, addresses and artwork of their customers, in orders that are settled.</Text>
        <Action
          label="Erase personal data"
          danger
          says={[
            'Of completed and cancelled orders placed before the day, and of quotes that expired unordered before it: names, addresses, notes and artwork go.',
            'Figures, numbers, invoices and the audit log stay. Nobody is told. It cannot be taken back.',
          ]}
          repeats="safely"
          run={() => eraseAll(account.id, before)}
          done={() => 'Personal data is erased'}
          ready={isSure && count.isSuccess && found > 0}
          onOpen={clear}
        >
          <TextInput type="date" label="Placed before" required {...typed('before')} />
          {count.isFetching && <Waiting what="Counting" />}
          <Refused error={count.error} />
          {count.isSuccess && !count.isFetching && <Counted {...count.data} />}
          {found > 0 && <Checkbox label="Erase all of that, for good" {...checkbox('isSure')} />}
        </Action>
      </Group>
    </Part>
  );
}

function Counted({ orders, quotes, artwork }: { orders: number; quotes: number; artwork: number }) {
  const nothing = orders + quotes + artwork === 0;
  return (
    <Alert color={nothing ? 'gray' : 'orange'} role="status">
      {nothing
        ? 'There is nothing to erase before that day.'
        : `Would be erased: the personal data of ${of(orders, 'order')} and ${of(quotes, 'quote')}, and ${of(artwork, 'picture')}.`}
    </Alert>
  );
}

const of = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** One call works for some seconds only; the same call goes on until there is no more. */
async function eraseAll(id: string, before: string): Promise<void> {
  const { complete } = await erase(id, { before, dryRun: false });
  if (complete === false) await eraseAll(id, before);
}
