import { Paper, SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Page } from '../../api/studio';
import { PAYMENT_SOURCES } from '../../billing/parts';
import { Tile } from '../../billing/Tile';
import { useEnvironment } from '../../session/environment';
import { AccountFilter } from '../../shared/account-filter';
import { ErrorAlert } from '../../shared/feedback';
import { ChoiceFilter, DayFilter, FilterBar, useIsFiltered } from '../../shared/filter-bar';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { useSearchParams } from '../../shared/search-params';
import { NO_RESULTS } from '../../shared/words';

type Query = Readonly<Record<string, string | undefined>>;

interface Sum {
  count: number;
  amountCents: number;
}

export interface MoneyListProps<Row> {
  noun: string;
  /** The path of the list in the API. */
  path: string;
  /** The verb of the entries' day, such as `Received`. */
  day: string;
  hasSource?: boolean;
  /** The sums of entries that are not reversed, with their labels. */
  sums: readonly (readonly [name: string, label: string])[];
  columns: (currency: string) => readonly Column<Row>[];
  keyOf: (row: Row) => string;
  read: (query: Query, cursor: string | undefined) => Promise<Page<Row[]>>;
  sum: (query: Query) => Promise<Readonly<Record<string, Sum | string>>>;
}

/** Money of all accounts: filters, the sums of the filtered entries, and the entries. */
export function MoneyList<Row extends { currency: string }>(props: MoneyListProps<Row>) {
  const { noun, path, day, hasSource = false, columns, keyOf, read } = props;
  const [environment] = useEnvironment();
  const [{ account, source, reversed, from, to, reversedFrom, reversedTo, sort }] = useSearchParams();
  const filters = { environment, accountId: account, reversed, from, to, reversedFrom, reversedTo, ...(hasSource && { source }) };
  const list = useList<Row>(['payments', path, 'list', filters, sort], (cursor) => read({ ...filters, sort }, cursor), { keepsRows: true });
  const isFiltered = useIsFiltered();
  const label = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`;
  return (
    <Stack gap="md">
      <FilterBar label={`Filter ${noun}s`}>
        <AccountFilter name="account" />
        {hasSource && <ChoiceFilter name="source" label="Source" data={SOURCES} />}
        <ChoiceFilter name="reversed" label="Status" data={STATUSES} />
        <DayFilter name="from" label={`${day} from`} />
        <DayFilter name="to" label={`${day} until`} />
        <DayFilter name="reversedFrom" label="Reversed from" />
        <DayFilter name="reversedTo" label="Reversed until" />
      </FilterBar>
      <Sums {...props} filters={filters} />
      <ListTable
        label={label}
        noun={noun}
        list={list}
        columns={columns(list.data?.pages[0]?.rows[0]?.currency ?? '')}
        keyOf={keyOf}
        empty={isFiltered ? NO_RESULTS : `No ${noun}s yet`}
        csv={`/studio/v1/${path}.csv?${queryOf({ ...filters, sort })}`}
      />
    </Stack>
  );
}

const SOURCES = Object.entries(PAYMENT_SOURCES).map(([value, label]) => ({ value, label }));
const STATUSES = [
  { value: 'false', label: 'Not reversed' },
  { value: 'true', label: 'Reversed' },
];

type SumsProps = Pick<MoneyListProps<never>, 'noun' | 'path' | 'sums' | 'sum'> & { filters: Query };

function Sums({ noun, path, sums, sum, filters }: SumsProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['payments', path, 'sums', filters],
    queryFn: () => sum(filters),
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <ErrorAlert error={error} retry={() => void refetch()} />;
  if (data === undefined) return null;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="xs" role="group" aria-label={`Sums of these ${noun}s`}>
      {[...sums, ['reversed', 'Reversed'] as const].map(([name, label]) => {
        const { count, amountCents } = data[name] as Sum;
        return (
          <Paper key={name} withBorder px="sm" py="xs">
            <Tile label={label} cents={amountCents} count={count} noun={noun} />
          </Paper>
        );
      })}
    </SimpleGrid>
  );
}
