import { SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { orderQuery } from '../../api/reads';
import { callApiPage, type QueryOf, type Schema, studio } from '../../api/studio';
import { ERROR_CODES, errorWords, eventWords, hostOf } from '../../endpoints/words';
import { useEnvironment } from '../../session/environment';
import { AccountFilter } from '../../shared/account-filter';
import { formatCount, useDeliveryCounts } from '../../shared/counts';
import { ErrorAlert, Loading } from '../../shared/feedback';
import { ChoiceFilter, DayFilter, FilterBar, TextFilter } from '../../shared/filter-bar';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { AccountLink, OrderLink } from '../../shared/orders';
import { oneOf } from '../../shared/own-value';
import { type Search, useSearchParams } from '../../shared/search-params';
import { StatusBadge } from '../../shared/status';
import { capitalize, NO_RESULTS, statusLabel } from '../../shared/words';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';
import { useEndpoints } from './Overview';

type Filter = QueryOf<'listDeliveries'>;
type State = NonNullable<Filter['state']>;

/** The filter in the page's address, for the API. It is undefined until the id of the order is known. */
function useFilter(): { filter: Filter | undefined; error: unknown } {
  const [search] = useSearchParams();
  const isNumber = search.order !== undefined && !search.order.startsWith('ord_');
  const order = useQuery({ ...orderQuery(search.order ?? ''), enabled: isNumber });
  const orderId = isNumber ? order.data?.orderId : search.order;
  if (isNumber && orderId === undefined) return { filter: undefined, error: order.error };
  return { filter: filterOf(search, orderId), error: null };
}

function filterOf(search: Search, orderId: string | undefined): Filter {
  const { account, endpoint, error, from, to, sort } = search;
  const all = { state: stateOf(search), accountId: account, endpointId: endpoint, orderId, errorCode: error, from, to, sort };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Filter;
}

const STATES = Object.keys({ pending: true, failed: true, held: true, delivered: true } satisfies Record<State, true>);

/** Only pending webhooks have a next attempt. */
const stateOf = ({ state, sort }: Search): string | undefined => (sort === 'nextAttempt' ? 'pending' : state);

const ERRORS = ERROR_CODES.map((code) => ({ value: code, label: capitalize(errorWords(code)) }));

export function Filters() {
  const [{ account, sort, state, ...others }, change] = useSearchParams();
  const { endpoints } = useEndpoints();
  const shown = stateOf({ state, sort });
  const offered = endpoints.filter(({ accountId }) => account === undefined || accountId === account);
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="Status"
        value={shown === undefined ? 'all' : (oneOf(STATES, shown) ?? '')}
        onChange={(chosen) => change({ state: chosen === 'all' ? undefined : chosen, sort: undefined })}
        data={useStates(account !== undefined || Object.keys(others).length > 0)}
      />
      <FilterBar label="Filter webhooks">
        <AccountFilter name="account" />
        <ChoiceFilter
          name="endpoint"
          label="Endpoint"
          data={offered.map(({ id, url, accountName }) => ({ value: id, label: `${hostOf(url)}, ${accountName}` }))}
        />
        <TextFilter name="order" label="Order" placeholder="P-10001" />
        <ChoiceFilter name="error" label="Last error" data={ERRORS} />
        <DayFilter name="from" label="From" />
        <DayFilter name="to" label="To" />
      </FilterBar>
    </Stack>
  );
}

/** The states with their counts, which the API has for unfiltered lists only. */
function useStates(isFiltered: boolean): { value: string; label: string }[] {
  const [environment] = useEnvironment();
  const counts: Readonly<Record<string, number>> | undefined = useDeliveryCounts(environment).data?.byState;
  const options = STATES.map((state) => {
    const count = isFiltered ? undefined : counts?.[state];
    return { value: state, label: `${statusLabel(state)}${count === undefined ? '' : ` ${formatCount(count)}`}` };
  });
  return [{ value: 'all', label: 'All' }, ...options];
}

type Row = Schema<'Delivery'>;

const COLUMNS: readonly Column<Row>[] = [
  {
    heading: 'Event',
    cell: ({ id, eventType }) => (
      <TextLink to="/deliveries/$delivery" params={{ delivery: id }} size="sm" fw={600} title={eventType} className="nowrap">
        {eventWords(eventType)}
      </TextLink>
    ),
  },
  { heading: 'Order', cell: ({ orderNumber }) => <OrderLink number={orderNumber} /> },
  {
    heading: 'Account',
    cell: ({ accountId, accountName, endpointUrl }) => (
      <span title={endpointUrl}>
        <AccountLink id={accountId} name={accountName} size="sm" />
      </span>
    ),
  },
  { heading: 'Status', cell: ({ state }) => <StatusBadge of={state} /> },
  { heading: 'Attempts', cell: ({ attemptCount }) => attemptCount, right: true },
  {
    heading: 'Last error',
    cell: ({ lastErrorCode, lastStatus }) => (lastErrorCode === null ? null : capitalize(errorWords(lastErrorCode, lastStatus))),
  },
  { heading: 'Next attempt', cell: ({ nextAttemptAt }) => nextAttemptAt && <Time at={nextAttemptAt} />, sort: 'nextAttempt' },
  { heading: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, sort: 'newest', sorted: 'Newest first' },
];

export function DeliveryList() {
  const { filter, error } = useFilter();
  if (error !== null) return <ErrorAlert error={error} />;
  return filter === undefined ? <Loading what="Finding the order" /> : <FilteredList filter={filter} />;
}

function FilteredList({ filter }: { filter: Filter }) {
  const [environment] = useEnvironment();
  const query = { ...filter, environment };
  const list = useList<Row>(['deliveries', filter, environment], (cursor) =>
    callApiPage(studio.GET('/deliveries', { params: { query: { ...query, cursor } } })),
  );
  const hasPending = list.data?.pages.some(({ rows }) => rows.some(({ nextAttemptAt }) => nextAttemptAt !== null)) === true;
  return (
    <ListTable
      label="Webhook deliveries"
      noun="webhook"
      list={list}
      columns={hasPending ? COLUMNS : COLUMNS.filter(({ sort }) => sort !== 'nextAttempt')}
      keyOf={({ id }) => id}
      empty={emptyWords(filter)}
      csv={`/studio/v1/deliveries.csv?${queryOf(query)}`}
      opens
    />
  );
}

function emptyWords({ state, sort: _sort, ...others }: Filter): string {
  if (Object.keys(others).length > 0) return NO_RESULTS;
  return state === undefined ? 'No webhooks yet' : `No ${state} webhooks`;
}
