import { Alert, Checkbox, Group, Paper, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, studio } from '../../../api/studio';
import { Action } from '../../../shared/action';
import { Refused, Waiting } from '../../../shared/told';
import type { Account } from '../draft';

const erase = (id: string, body: { before: string; dryRun: boolean }) =>
  ask(studio.POST('/accounts/{id}/erase', { params: { path: { id } }, body }));

/** Erases names and addresses of settled orders. First it is counted; only then can it be done. */
export function Erase({ account }: { account: Account }) {
  const [before, setBefore] = useState('');
  const [sure, setSure] = useState(false);
  const count = useQuery({
    queryKey: ['erasable', account.id, before],
    queryFn: () => erase(account.id, { before, dryRun: true }),
    enabled: before !== '',
    staleTime: 0,
  });
  const found = count.data === undefined ? 0 : count.data.orders + count.data.quotes + count.data.artwork;
  const open = (): void => {
    setBefore('');
    setSure(false);
  };
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        Personal data
      </Title>
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
          ready={sure && count.isSuccess && found > 0}
          onOpen={open}
        >
          <TextInput type="date" label="Placed before" required value={before} onChange={(event) => setBefore(event.currentTarget.value)} />
          {count.isFetching && <Waiting what="Counting" />}
          <Refused error={count.error} />
          {count.isSuccess && !count.isFetching && <Counted {...count.data} />}
          {found > 0 && (
            <Checkbox label="Erase all of that, for good" checked={sure} onChange={(event) => setSure(event.currentTarget.checked)} />
          )}
        </Action>
      </Group>
    </Paper>
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
