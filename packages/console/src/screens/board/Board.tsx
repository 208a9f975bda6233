import { Button, Collapse, Group, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accountQuery } from '../../api/reads';
import { useEnvironment } from '../../session/environment';
import { useHasRole } from '../../session/session';
import { AccountSelect } from '../../shared/account-select';
import { anyAttention, ATTENTION_CODES, attentionWords, isForOffice } from '../../shared/attention';
import { formatCount, type OrderCounts, useOrderCounts } from '../../shared/counts';
import { ChoiceFilter, DayFilter } from '../../shared/inputs';
import { ShortcutsButton } from '../../shared/shortcuts';
import { type OrderStatus, STATUSES } from '../../shared/order-status';
import { statusLabel } from '../../shared/words';
import { useTitle } from '../../shared/title';
import { useToday } from '../../shared/today';
import { canBeDue, type ChangeFilters, countFilters, type Filters, FILTER_NAMES, useFilters } from './filters';
import { Orders } from './Orders';

/** All orders in one table with filters and counts. Columns of cards would show ten of a hundred thousand orders. */
export function Board() {
  useTitle('Board');
  const [environment] = useEnvironment();
  const [filters, change] = useFilters();
  const isFiltered = countFilters(filters, 'status', 'late') > 0;
  const [opened, { toggle }] = useDisclosure(countFilters(filters, 'status', 'late', 'q') > 0);
  const counts = useOrderCounts(environment).data;
  useToday();
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={1}>Board</Title>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={toggle} aria-expanded={opened}>
            {opened ? 'Hide filters' : 'Filters'}
          </Button>
          <ShortcutsButton />
        </Group>
      </Group>
      <StatusTabs filters={filters} counts={isFiltered ? undefined : counts} />
      <Collapse expanded={opened}>
        <FilterFields filters={filters} change={change} />
      </Collapse>
      <ActiveFilters filters={filters} change={change} />
      <Orders
        key={environment}
        environment={environment}
        filters={filters}
        change={change}
        total={isFiltered || counts === undefined ? undefined : countOf(filters, counts)}
      />
    </Stack>
  );
}

/** The number of orders of the status tab. Undefined if the API does not count them. */
function countOf({ status, late, sort }: Filters, counts: OrderCounts): number | undefined {
  if (late !== undefined) return status === undefined ? counts.late : undefined;
  if (status !== undefined) return counts.byStatus[status as OrderStatus];
  return sort === 'dueDate' ? undefined : Object.values(counts.byStatus).reduce((sum, count) => sum + count, 0);
}

interface StatusTabsProps {
  filters: Filters;
  /** Undefined if other filters apply, because the counts ignore them. */
  counts: OrderCounts | undefined;
}

/** Links by status with counts. */
function StatusTabs({ filters, counts }: StatusTabsProps) {
  const isOffice = useHasRole('office');
  const { late, attention, status } = filters;
  return (
    <Group gap={6} role="group" aria-label="Orders by status">
      <StatusTab label="All" isActive={status === undefined} search={{ ...filters, status: undefined }} />
      {STATUSES.map((each) => (
        <StatusTab
          key={each}
          label={statusLabel(each)}
          count={counts?.byStatus[each]}
          isActive={status === each}
          search={{ ...filters, status: each, ...(canBeDue(each) ? {} : { sort: undefined, late: undefined }) }}
        />
      ))}
      <StatusTab
        label="Late"
        count={counts?.late}
        isActive={late !== undefined}
        search={{ ...filters, late: late === undefined ? 'true' : undefined, ...(canBeDue(status) ? {} : { status: undefined }) }}
      />
      <StatusTab
        label="Needs attention"
        count={counts?.attention}
        isActive={attention !== undefined}
        search={{ ...filters, attention: attention === undefined ? anyAttention(isOffice) : undefined }}
      />
    </Group>
  );
}

interface StatusTabProps {
  label: string;
  count?: number | undefined;
  isActive: boolean;
  search: { [Name in keyof Filters]?: string | undefined };
}

function StatusTab({ label, count, isActive, search }: StatusTabProps) {
  return (
    <Button
      renderRoot={(props: object) => <Link {...props} to="/board" search={search} activeOptions={{ exact: true }} />}
      size="compact-sm"
      variant={isActive ? 'filled' : 'default'}
      aria-current={isActive ? 'true' : undefined}
    >
      {count === undefined ? label : `${label} ${formatCount(count)}`}
    </Button>
  );
}

interface FilterProps {
  filters: Filters;
  change: ChangeFilters;
}

function FilterFields({ filters, change }: FilterProps) {
  const isOffice = useHasRole('office');
  const codes = ATTENTION_CODES.filter((code) => isOffice || !isForOffice(code));
  return (
    <Group gap="xs" align="flex-end">
      {isOffice && <AccountSelect value={filters.accountId} set={(accountId) => change({ accountId })} />}
      <ChoiceFilter
        size="xs"
        label="Needs attention"
        value={filters.attention}
        set={(attention) => change({ attention })}
        data={[
          { value: '', label: 'All orders' },
          ...(isOffice ? [{ value: 'any', label: 'All reasons' }] : []),
          { value: 'work', label: isOffice ? 'Production and shipping' : 'All reasons' },
          ...(isOffice
            ? [
                { value: 'messages', label: 'Webhooks and emails' },
                { value: 'money', label: 'Money' },
              ]
            : []),
          ...codes.map((code) => ({ value: code, label: attentionWords(code).title })),
        ]}
      />
      <DayFilter size="xs" w={120} label="Placed from" value={filters.from} set={(from) => change({ from })} />
      <DayFilter size="xs" w={120} label="Placed until" value={filters.to} set={(to) => change({ to })} />
      <DayFilter size="xs" w={120} label="Due from" value={filters.dueFrom} set={(dueFrom) => change({ dueFrom })} />
      <DayFilter size="xs" w={120} label="Due before" value={filters.dueBefore} set={(dueBefore) => change({ dueBefore })} />
    </Group>
  );
}

/** Each active filter as a button that removes it. */
function ActiveFilters({ filters, change }: FilterProps) {
  const isOffice = useHasRole('office');
  const account = useQuery(accountQuery(isOffice ? filters.accountId : undefined)).data;
  const { sort, partShipped, q, accountId } = filters;
  const labels: Partial<Record<keyof Filters, string | false>> = {
    sort: sort === 'dueDate' && 'Unshipped, by due date',
    partShipped: partShipped !== undefined && 'Partly shipped',
    q: q !== undefined && `Search: “${q}”`,
    accountId: accountId !== undefined && `Account: ${account?.name ?? '…'}`,
  };
  const active = FILTER_NAMES.filter((name) => typeof labels[name] === 'string');
  if (active.length + countFilters(filters) === 0) return null;
  return (
    <Group gap={6} role="group" aria-label="Filters">
      {active.map((name) => (
        <Button
          key={name}
          size="compact-xs"
          variant="light"
          rightSection={<IconX size={12} aria-hidden />}
          title="Remove filter"
          onClick={() => change({ [name]: undefined })}
        >
          {labels[name]}
        </Button>
      ))}
      <Button size="compact-xs" variant="subtle" onClick={() => change(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))}>
        Clear filters
      </Button>
    </Group>
  );
}
