import { Button, Collapse, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountQuery } from '../../api/reads';
import type { Environment } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { useMay } from '../../session/session';
import { AccountSelect } from '../../shared/account-select';
import { anyAttention, ATTENTION_CODES, isAboutMoney } from '../../shared/attention';
import { countInWords, useOrderCounts } from '../../shared/counts';
import { ChoiceFilter, DayFilter } from '../../shared/inputs';
import { Keys } from '../../shared/keys';
import { STATUSES } from '../../shared/order-status';
import { wordsOf } from '../../shared/status';
import { useTitle } from '../../shared/title';
import { useToday } from '../../shared/today';
import { canBeDue, type Change, countOf, type Filters, NAMES, useFilters } from './filters';
import { Orders } from './Orders';

/**
 * Every order there is. A table below filters with counts, not columns of cards: a studio has a hundred thousand orders, of which a
 * column shows ten, and what one looks for is found by its status, its day or its number.
 */
export function Board() {
  useTitle('Board');
  const [environment] = useEnvironment();
  const [filters, change] = useFilters();
  useToday();
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={1}>Board</Title>
        <Keys />
      </Group>
      <Statuses environment={environment} filters={filters} />
      <FilterBar filters={filters} change={change} />
      <Chosen filters={filters} change={change} />
      <Orders environment={environment} filters={filters} change={change} />
    </Stack>
  );
}

interface StatusesProps {
  environment: Environment;
  filters: Filters;
}

/** The board by status, late ones and those that need a person, each with how many there are now: links, so that they can be sent. */
function Statuses({ environment, filters }: StatusesProps) {
  const counts = useOrderCounts(environment).data;
  // How many there are in all says nothing of how many match what else was chosen.
  const isCounted = countOf(filters, 'status', 'late', 'attention') === 0;
  const told = (count: number | undefined): string => (isCounted && count !== undefined ? ` ${countInWords(count)}` : '');
  const mayOffice = useMay('office');
  const { late, attention, status } = filters;
  return (
    <Group gap={6} role="group" aria-label="Orders by status">
      <Choice words="All" isChosen={status === undefined} search={{ ...filters, status: undefined }} />
      {STATUSES.map((each) => (
        <Choice
          key={each}
          words={`${wordsOf(each)}${told(counts?.byStatus[each])}`}
          isChosen={status === each}
          search={{ ...filters, status: each, ...(canBeDue(each) ? {} : { sort: undefined, late: undefined }) }}
        />
      ))}
      <Choice
        words={`Late${told(counts?.late)}`}
        isChosen={late !== undefined}
        search={{ ...filters, late: late === undefined ? 'true' : undefined, ...(canBeDue(status) ? {} : { status: undefined }) }}
      />
      <Choice
        words={`Needs a person${told(counts?.attention)}`}
        isChosen={attention !== undefined}
        search={{ ...filters, attention: attention === undefined ? anyAttention(mayOffice) : undefined }}
      />
    </Group>
  );
}

function Choice({
  words,
  isChosen,
  search,
}: {
  words: string;
  isChosen: boolean;
  search: { [Name in keyof Filters]?: string | undefined };
}) {
  return (
    <Button
      renderRoot={(props: object) => <Link {...props} to="/board" search={search} activeOptions={{ exact: true }} />}
      size="compact-sm"
      variant={isChosen ? 'filled' : 'default'}
      aria-current={isChosen ? 'true' : undefined}
    >
      {words}
    </Button>
  );
}

const BESIDE: readonly (keyof Filters)[] = ['status', 'late', 'q'];

function FilterBar({ filters, change }: { filters: Filters; change: Change }) {
  const mayOffice = useMay('office');
  const codes = ATTENTION_CODES.filter((code) => mayOffice || !isAboutMoney(code));
  const chosen = countOf(filters, ...BESIDE);
  const [opened, { toggle }] = useDisclosure(chosen > 0);
  return (
    <div>
      <Button size="compact-sm" variant="subtle" onClick={toggle} aria-expanded={opened}>
        {opened ? 'Fewer filters' : 'More filters'}
      </Button>
      <Collapse expanded={opened}>
        <Group gap="sm" align="flex-end" pt="xs">
          {mayOffice && <AccountSelect value={filters.accountId} set={(accountId) => change({ accountId })} />}
          <ChoiceFilter
            size="xs"
            label="Needs a person because of"
            value={filters.attention}
            set={(attention) => change({ attention })}
            data={[
              { value: '', label: 'Whether or not' },
              ...(mayOffice ? [{ value: 'any', label: 'Anything' }] : []),
              { value: 'work', label: mayOffice ? 'Anything but money' : 'Anything' },
              ...codes.map((code) => ({ value: code, label: wordsOf(code) })),
            ]}
          />
          <DayFilter size="xs" label="Placed from" value={filters.from} set={(from) => change({ from })} />
          <DayFilter size="xs" label="Placed up to" value={filters.to} set={(to) => change({ to })} />
          <DayFilter size="xs" label="Due from" value={filters.dueFrom} set={(dueFrom) => change({ dueFrom })} />
          <DayFilter size="xs" label="Due before" value={filters.dueBefore} set={(dueBefore) => change({ dueBefore })} />
        </Group>
      </Collapse>
    </div>
  );
}

function Chosen({ filters, change }: { filters: Filters; change: Change }) {
  const mayOffice = useMay('office');
  const account = useQuery(accountQuery(mayOffice ? filters.accountId : undefined)).data;
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
