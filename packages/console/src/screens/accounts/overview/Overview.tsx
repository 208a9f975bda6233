import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { To } from '../../../shared/to';
import { useEnvironment } from '../../../session/environment';
import { useMay } from '../../../session/session';
import { Facts } from '../Facts';
import { Money } from '../../../shared/money';
import { When } from '../../../shared/when';
import { CreditUsed } from '../CreditUsed';
import { useCurrency } from '../currency';
import { limitWords, percentOf, type Account } from '../draft';
import { EditAccount } from './EditAccount';
import { Erase } from './Erase';
import { ApiAccess, Standing } from './Standing';

/** What an account is, what it may, and what it owes. */
export function Overview({ account }: { account: Account }) {
  const isAdmin = useMay('admin');
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Details account={account} />
        <Owed account={account} />
      </SimpleGrid>
      <Paper withBorder p="md">
        <Title order={2} size="h4" mb="xs">
          What it may do
        </Title>
        <Stack gap="sm">
          <Standing account={account} />
          <ApiAccess account={account} />
        </Stack>
      </Paper>
      {isAdmin && <Erase account={account} />}
    </Stack>
  );
}

function Details({ account }: { account: Account }) {
  const currency = useCurrency(account.id);
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Details
        </Title>
        <EditAccount account={account} currency={currency} />
      </Group>
      <Facts
        facts={[
          ['Name', account.name],
          [
            'E-mail',
            <Anchor key="mail" inherit href={`mailto:${account.email}`}>
              {account.email}
            </Anchor>,
          ],
          ['Trade discount', percentOf(account.tradeDiscountBps)],
          ['Credit limit', limitWords(account.creditLimitCents, currency)],
          ['Payment terms', `${account.paymentTermsDays} days`],
          ['Opened', <When key="opened" at={account.createdAt} />],
        ]}
      />
    </Paper>
  );
}

function Owed({ account }: { account: Account }) {
  const [environment] = useEnvironment();
  const currency = useCurrency(account.id);
  const standing = account[environment];
  const available = standing.availableCents;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {environment === 'test' ? 'What it owes, of test orders' : 'What it owes'}
      </Title>
      <Facts
        facts={[
          ['Outstanding', <Money key="owed" cents={standing.outstandingCents} currency={currency} />],
          ['Credit', <Money key="credit" cents={standing.creditCents} currency={currency} />],
          ['May still order', available === null ? 'without limit' : <Money key="left" cents={available} currency={currency} />],
          ['Credit used', <CreditUsed key="used" account={account} standing={standing} currency={currency} />],
        ]}
      />
      <Text size="sm" mt="sm">
        <To to="/board" search={{ accountId: account.id }}>
          Its orders on the board
        </To>
      </Text>
    </Paper>
  );
}
