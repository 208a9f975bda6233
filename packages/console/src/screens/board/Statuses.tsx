import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Environment } from '../../api/types';
import { useMay } from '../../session/session';
import { anyAttention } from '../../shared/attention';
import { countInWords, useOrderCounts } from '../../shared/counts';
import { STATUSES } from '../../shared/order-status';
import { wordsOf } from '../../shared/status';
import { canBeDue, countOf, type Filters } from './filters';

interface StatusesProps {
  environment: Environment;
  filters: Filters;
}

/** The board by status, late ones and those that need a person, each with how many there are now: links, so that they can be sent. */
export function Statuses({ environment, filters }: StatusesProps) {
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
