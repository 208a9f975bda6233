import { Button, SegmentedControl, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { orderQuery } from '../../api/reads';
import { callApiPage, type QueryOf, type Schema, studio } from '../../api/studio';
import { endpointsQuery, EndpointTable } from '../../endpoints/Endpoint';
import { ERROR_CODES, errorWords, eventWords, hostOf } from '../../endpoints/words';
import { useEnvironment } from '../../session/environment';
import { AccountFilter } from '../../shared/account-filter';
import { formatCount, useWebhookDeliveryCounts } from '../../shared/counts';
import { Loaded } from '../../shared/feedback';
import { ChoiceFilter, DayFilter, FilterBar, TextFilter, useIsFiltered } from '../../shared/filter-bar';
import { Panel, Screen } from '../../shared/layout';
import { type Column, ListTable, queryOf, useList } from '../../shared/list';
import { AccountLink, OrderLink } from '../../shared/orders';
import { oneOf } from '../../shared/own-value';
import { readNumber } from '../../shared/order-number';
import { type Search, useSearchParams } from '../../shared/search-params';
import { StatusBadge } from '../../shared/status';
import { capitalize, NO_RESULTS, statusLabel } from '../../shared/words';
import { TextLink } from '../../shared/text-link';
import { Time } from '../../shared/time';

export function Deliveries() {
  return (
    <Screen title="Webhook deliveries" minRole="office" what="webhook deliveries">
      <Endpoints />
      <Filters />
      <DeliveryList />
    </Screen>
  );
}

function Endpoints() {
  const [isAll, { toggle }] = useDisclosure(false);
  return (
    <Panel
      title={isAll ? 'All endpoints' : 'Endpoints with problems'}
      beside={
        <Button size="compact-sm" variant="subtle" onClick={toggle}>
          {isAll ? 'Show problems' : 'Show all'}
        </Button>
      }
    >
      <EndpointTable
        label="Endpoints"
        isAll={isAll}
        empty={isAll ? 'No endpoints yet. Add one on the page of an account.' : 'No endpoint has problems.'}
      />
    </Panel>
  );
}

const STATES: readonly NonNullable<QueryOf<'listDeliveries'>['state']>[] = ['pending', 'failed', 'held', 'delivered'];
const ERRORS = ERROR_CODES.map((code) => ({ value: code, label: capitalize(errorWords(code)) }));

/** Only pending webhooks have a next attempt. */
const stateOf = ({ state, sort }: Search): string | undefined => (sort === 'nextAttempt' ? 'pending' : state);

function Filters() {
  const [{ account, sort, state, ...others }, change] = useSearchParams();
  const [environment] = useEnvironment();
  const endpoints = useQuery(endpointsQuery(environment, account)).data?.rows ?? [];
  const shown = stateOf({ state, sort });
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
          data={endpoints.map(({ id, url, accountName }) => ({ value: id, label: `${hostOf(url)}, ${accountName}` }))}
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
function useStates(hidesCounts: boolean): { value: string; label: string }[] {
  const [environment] = useEnvironment();
  const counts: Readonly<Record<string, number>> | undefined = useWebhookDeliveryCounts(environment).data?.byState;
  const options = STATES.map((state) => {
    const count = hidesCounts ? undefined : counts?.[state];
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
    wrap: true,
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
    wrap: true,
    cell: ({ lastErrorCode, lastStatus }) => (lastErrorCode === null ? null : capitalize(errorWords(lastErrorCode, lastStatus))),
  },
  { heading: 'Next attempt', cell: ({ nextAttemptAt }) => nextAttemptAt && <Time at={nextAttemptAt} />, sort: 'nextAttempt' },
  { heading: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, sort: 'newest', sorted: 'Newest first' },
];

function DeliveryList() {
  const [{ order }] = useSearchParams();
  const [environment] = useEnvironment();
  const query = useQuery({ ...orderQuery(readNumber('order', order ?? '', environment) ?? order ?? ''), enabled: order !== undefined });
  if (order === undefined) return <FilteredList orderId={undefined} />;
  return (
    <Loaded query={query} what="Finding the order">
      {({ orderId }) => <FilteredList orderId={orderId} />}
    </Loaded>
  );
}

function FilteredList({ orderId }: { orderId: string | undefined }) {
  const [environment] = useEnvironment();
  const [search] = useSearchParams();
  const { account: accountId, endpoint: endpointId, error: errorCode, from, to, sort } = search;
  const filter = { state: stateOf(search), accountId, endpointId, orderId, errorCode, from, to, sort } as QueryOf<'listDeliveries'>;
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
      columns={hasPending ? COLUMNS : COLUMNS.filter((column) => column.sort !== 'nextAttempt')}
      keyOf={({ id }) => id}
      empty={useIsFiltered() ? NO_RESULTS : 'No webhooks yet'}
      csv={`/studio/v1/deliveries.csv?${queryOf(query)}`}
      opens
    />
  );
}
