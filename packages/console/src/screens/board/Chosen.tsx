import { Button, Group, Text } from '@mantine/core';
import { useMay } from '../../session/session';
import { useAccount } from './account';
import { NAMES, countOf, type Change, type Filters } from './filters';

/** What the board is narrowed by, in words, and how to have all of it again. */
export function Chosen({ filters, change }: { filters: Filters; change: Change }) {
  const mayOffice = useMay('office');
  const account = useAccount(mayOffice ? filters.accountId : undefined).data;
  const { q, sort, accountId, from, to, dueFrom, dueBefore, partShipped } = filters;
  const words = [
    sort === 'dueDate' ? 'still to be shipped, the soonest due first' : null,
    partShipped === undefined ? null : 'sent in part',
    q === undefined ? null : `with “${q}”`,
    accountId === undefined ? null : `of ${account?.name ?? 'one account'}`,
    from === undefined ? null : `placed from ${from}`,
    to === undefined ? null : `placed up to ${to}`,
    dueFrom === undefined ? null : `due from ${dueFrom}`,
    dueBefore === undefined ? null : `due before ${dueBefore}`,
  ].filter((each) => each !== null);
  if (countOf(filters) + words.length === 0) return null;
  return (
    <Group gap="sm">
      {words.length > 0 && <Text size="sm">Only orders {words.join(', ')}.</Text>}
      <Button size="compact-sm" variant="default" onClick={() => change(Object.fromEntries(NAMES.map((name) => [name, undefined])))}>
        Clear filters
      </Button>
    </Group>
  );
}
