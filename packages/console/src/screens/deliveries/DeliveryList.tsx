import { SegmentedControl, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { orderQuery } from '../../api/reads';
import { page, studio } from '../../api/studio';
import type { Of, QueryOf } from '../../api/types';
import { ERROR_CODES, errorWords, eventWords, hostOf } from '../../endpoints/words';
import { useEnvironment } from '../../session/environment';
import { AccountSelect } from '../../shared/account-select';
import { type Search, useAddress } from '../../shared/address';
import { countInWords, useDeliveryCounts } from '../../shared/counts';
import { ClearableFilter, ClearFilters, DayFilter, Typed } from '../../shared/inputs';
import { oneOf } from '../../shared/known';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { AccountLink } from '../../shared/orders';
import { capital, Status, wordsOf } from '../../shared/status';
import { Refused, Waiting } from '../../shared/told';
import { When } from '../../shared/when';
import { useEndpoints } from './Overview';
import { To } from '../../shared/to';

type Filter = QueryOf<'listDeliveries'>;
type State = NonNullable<Filter['state']>;

/**
 * The address's filters as the API takes them. It knows orders by their ids, people by their numbers: `error` where a number is none,
 * `filter` undefined until the id is known.
 */
function useFilter(): { filter: Filter | undefined; error: unknown } {
  const [search] = useAddress();
  const named = search.order;
  const isNumber = named !== undefined && !named.startsWith('ord_');
  const order = useQuery({ ...orderQuery(named ?? ''), enabled: isNumber });
  const orderId = isNumber ? order.data?.orderId : named;
  if (isNumber && orderId === undefined) return { filter: undefined, error: order.error };
  return { filter: filterOf(search, orderId), error: null };
}

function filterOf({ state, account, endpoint, error, from, to, sort }: Search, orderId: string | undefined): Filter {
  const set = { state, accountId: account, endpointId: endpoint, orderId, errorCode: error, from, to, sort };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) as Filter;
}

const STATES = Object.keys({ pending: true, failed: true, held: true, delivered: true } satisfies Record<State, true>);
const NARROWER = ['account', 'endpoint', 'order', 'error', 'from', 'to'] as const;
const ERRORS = ERROR_CODES.map((code) => ({ value: code, label: capital(errorWords(code)) }));
const SORTS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'nextAttempt', label: 'Next attempt first' },
];
const SORTED_BY = SORTS.map(({ value }) => value);

export function Filters() {
  const [search, change] = useAddress();
  const { endpoints } = useEndpoints();
  const narrowed = NARROWER.some((name) => search[name] !== undefined);
  const states = useStates(narrowed);
  const offered = endpoints.filter(({ accountId }) => search.account === undefined || accountId === search.account);
  return (
    <Stack gap="xs" role="search" aria-label="Which deliveries">
      <SegmentedControl
        size="xs"
        aria-label="State"
        className="segments"
        value={search.state === undefined ? 'all' : (oneOf(STATES, search.state) ?? '')}
        onChange={(state) => change({ state: state === 'all' ? undefined : state, sort: undefined })}
        data={states}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4, xl: 7 }} spacing="xs" verticalSpacing="xs">
        <AccountSelect value={search.account} set={(account) => change({ account, endpoint: undefined })} />
        <ClearableFilter
          label="Endpoint"
          any="Any endpoint"
          searchable
          data={offered.map(({ id, url, accountName }) => ({ value: id, label: `${hostOf(url)}, ${accountName}` }))}
          value={offered.find(({ id }) => id === search.endpoint)?.id}
          set={(endpoint) => change({ endpoint })}
          nothingFoundMessage="None is called so"
        />
        <Typed label="Order" placeholder="Its number" value={search.order ?? ''} set={(order) => change({ order })} />
        <ClearableFilter
          label="Last error"
          any="Any error"
          data={ERRORS}
          value={oneOf(ERROR_CODES, search.error) ?? undefined}
          set={(error) => change({ error })}
        />
        <DayFilter size="xs" label="From" value={search.from} set={(from) => change({ from })} />
        <DayFilter size="xs" label="To" value={search.to} set={(to) => change({ to })} />
        <Select
          size="xs"
          label="Order of rows"
          allowDeselect={false}
          data={SORTS}
          value={oneOf(SORTED_BY, search.sort ?? 'newest')}
          onChange={(sort) => change(sortBy(sort))}
        />
      </SimpleGrid>
      {narrowed && <ClearFilters names={NARROWER} change={change} />}
    </Stack>
  );
}

/** The states, each with how many there are now where that is what is listed: what arrived is not counted. */
function useStates(narrowed: boolean): { value: string; label: string }[] {
  const [environment] = useEnvironment();
  const counts: Readonly<Record<string, number>> | undefined = useDeliveryCounts(environment).data?.byState;
  const named = STATES.map((state) => {
    const count = narrowed ? undefined : counts?.[state];
    return { value: state, label: `${wordsOf(state)}${count === undefined ? '' : ` ${countInWords(count)}`}` };
  });
  return [{ value: 'all', label: 'All' }, ...named];
}

function sortBy(sort: string | null): Record<string, string | undefined> {
  if (sort === 'nextAttempt') return { sort, state: 'pending' };
  return { sort: sort === 'newest' || sort === null ? undefined : sort };
}

type Row = Of<'Delivery'>;

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'Event', cell: (row) => <Event row={row} /> },
  {
    heading: 'Order',
    cell: ({ orderNumber }) => (
      <To to="/orders/$order" params={{ order: orderNumber }} size="sm" className="nowrap">
        {orderNumber}
      </To>
    ),
  },
  { heading: 'Account and server', cell: (row) => <Receiver row={row} /> },
  { heading: 'State', cell: ({ state }) => <Status of={state} /> },
  { heading: 'Attempts', cell: attemptsOf, right: true },
  {
    heading: 'Last error',
    cell: ({ lastErrorCode, lastStatus }) => (lastErrorCode === null ? null : capital(errorWords(lastErrorCode, lastStatus))),
  },
  { heading: 'Next attempt', cell: ({ nextAttemptAt }) => nextAttemptAt && <When at={nextAttemptAt} />, sort: 'nextAttempt' },
  { heading: 'Created', cell: ({ createdAt }) => <When at={createdAt} />, sort: 'newest' },
];

function attemptsOf({ attemptCount, chain, trigger }: Row): string {
  if (chain === 1) return String(attemptCount);
  return `${attemptCount} (after ${trigger === 'recover' ? 'a recovery' : 'a resend'})`;
}

function Event({ row }: { row: Row }) {
  return (
    <Stack gap={0}>
      <To to="/deliveries/$delivery" params={{ delivery: row.id }} size="sm" fw={600}>
        {eventWords(row.eventType)}
      </To>
      <Text className="mono quiet nowrap">{row.eventType}</Text>
    </Stack>
  );
}

function Receiver({ row: { accountId, accountName, endpointUrl } }: { row: Row }) {
  return (
    <Stack gap={0}>
      <AccountLink id={accountId} name={accountName} size="sm" />
      <span className="mono quiet" title={endpointUrl}>
        {hostOf(endpointUrl)}
      </span>
    </Stack>
  );
}

export function DeliveryList() {
  const { filter, error } = useFilter();
  if (error !== null) return <Refused error={error} />;
  return filter === undefined ? <Waiting what="Looking for the order" /> : <Listed filter={filter} />;
}

function Listed({ filter }: { filter: Filter }) {
  const [environment] = useEnvironment();
  const [, change] = useAddress();
  const navigate = useNavigate();
  const asked = { ...filter, environment };
  const list = useList<Row>(['deliveries', filter, environment], (cursor) =>
    page(studio.GET('/deliveries', { params: { query: { ...asked, cursor } } })),
  );
  const by = filter.sort ?? 'newest';
  return (
    <ListTable
      label="Deliveries"
      list={list}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty={emptyWords(filter)}
      sort={{ by, choose: (key) => change(sortBy(key === by && by === 'newest' ? 'oldest' : key)) }}
      csv={`/studio/v1/deliveries.csv?${queryOf(asked)}`}
      open={({ id }) => void navigate({ to: '/deliveries/$delivery', params: { delivery: id } })}
    />
  );
}

function emptyWords({ state, sort: _sort, ...narrower }: Filter): string {
  if (Object.keys(narrower).length > 0) return 'Nothing fits these filters. Take one away to see more.';
  switch (state) {
    case 'failed':
      return 'Nothing has failed. What clients could not be told after every attempt stands here.';
    case 'held':
      return "Nothing is held. What happens while a client's endpoint is disabled stands here, until it is recovered.";
    case 'pending':
      return 'Nothing is on its way. What has not arrived yet and is tried again by itself stands here.';
    default:
      return 'Nothing yet. Whenever an order of a client with an endpoint changes, what was told stands here.';
  }
}
