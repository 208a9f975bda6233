import { Button, Group, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ShortcutsButton } from '../../layout/Menu';
import { useEnvironment } from '../../session/environment';
import { useHasRole } from '../../session/session';
import { AccountFilter } from '../../shared/account-filter';
import { ATTENTION_CODES, attentionWords, isForOffice } from '../../shared/attention';
import { formatCount, type OrderCounts, useOrderCounts } from '../../shared/counts';
import { ChoiceFilter, DayFilter, FilterBar, TextFilter } from '../../shared/filter-bar';
import { canBeDue, type OrderStatus, STATUSES } from '../../shared/progress';
import { type Search, useSearchParams } from '../../shared/search-params';
import { useStages } from '../../shared/stage-settings';
import { statusLabel } from '../../shared/words';
import { useTitle } from '../../shared/title';
import { useToday } from '../../shared/today';
import { Orders } from './Orders';

/** All orders in one table with filters and counts. It is not a board of cards, which would have room for ten orders. */
export function Board() {
  useTitle('Board');
  const [environment] = useEnvironment();
  const [filters] = useSearchParams();
  const { status: _status, late: _late, sort: _sort, ...others } = filters;
  const counts = useOrderCounts(environment).data;
  // The counts ignore other filters.
  const shownCounts = Object.keys(others).length === 0 ? counts : undefined;
  useToday(); // renders again at midnight
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={1}>Board</Title>
        <ShortcutsButton />
      </Group>
      <StatusTabs filters={filters} counts={shownCounts} />
      <OrderFilters />
      <Orders key={environment} environment={environment} filters={filters} total={shownCounts && countOf(filters, shownCounts)} />
    </Stack>
  );
}

/** The number of orders that the chosen tabs show. Undefined if the API does not count them. */
function countOf({ status, late, sort }: Search, counts: OrderCounts): number | undefined {
  if (late !== undefined) return status === undefined ? counts.late : undefined;
  if (status !== undefined) return counts.byStatus[status as OrderStatus];
  return sort === 'dueDate' ? undefined : Object.values(counts.byStatus).reduce((sum, count) => sum + count, 0);
}

/** Links that filter by status, lateness or attention, with counts. Sorting by due date lists unshipped orders only. */
function StatusTabs({ filters, counts }: { filters: Search; counts: OrderCounts | undefined }) {
  const { status, late, partShipped, attention, material, sort } = filters;
  const toggle = (value: string | undefined, on: string): string | undefined => (value === undefined ? on : undefined);
  return (
    <Group gap={6} role="group" aria-label="Orders by status">
      <StatusTab
        label={sort === 'dueDate' ? 'All unshipped' : 'All'}
        isActive={status === undefined}
        search={{ ...filters, status: undefined }}
      />
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
        search={{ ...filters, late: toggle(late, 'true'), ...(canBeDue(status) ? {} : { status: undefined }) }}
      />
      {partShipped !== undefined && <StatusTab label="Partly shipped" isActive search={{ ...filters, partShipped: undefined }} />}
      {material !== undefined && (
        <StatusTab label={`Needs ${material.split('/').at(-1)}`} isActive search={{ ...filters, material: undefined }} />
      )}
      <StatusTab
        label="Needs attention"
        count={counts?.attention}
        isActive={attention !== undefined}
        search={{ ...filters, attention: toggle(attention, 'any') }}
      />
    </Group>
  );
}

interface StatusTabProps {
  label: string;
  count?: number | undefined;
  isActive: boolean;
  search: Search;
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

function OrderFilters() {
  const isOffice = useHasRole('office');
  const codes = ATTENTION_CODES.filter((code) => isOffice || !isForOffice(code));
  const reasons = [
    { value: 'any', label: 'All reasons' },
    { value: 'work', label: 'Production and shipping' },
    { value: 'messages', label: 'Webhooks and emails' },
    { value: 'money', label: 'Money' },
  ];
  return (
    <FilterBar label="Filter orders">
      <TextFilter name="q" label="Search" type="search" placeholder="Number, name …" />
      {isOffice && <AccountFilter name="accountId" />}
      <ChoiceFilter
        name="attention"
        label="Needs attention"
        all="All orders"
        data={[...(isOffice ? reasons : reasons.slice(0, 2)), ...codes.map((code) => ({ value: code, label: attentionWords(code).title }))]}
      />
      <ChoiceFilter
        name="stage"
        label="Stage"
        data={[
          { value: 'none', label: 'Not printed' },
          ...(['printed', ...useStages()] as const).map((stage) => ({ value: stage, label: statusLabel(stage) })),
        ]}
      />
      <DayFilter name="from" label="Placed from" />
      <DayFilter name="to" label="Placed until" />
      <DayFilter name="dueFrom" label="Due from" />
      <DayFilter name="dueBefore" label="Due before" />
    </FilterBar>
  );
}
