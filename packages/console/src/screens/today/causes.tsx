import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { callApi, callApiPage, type Schema, studio } from '../../api/studio';
import { useEnvironment } from '../../session/environment';
import { useHasRole } from '../../session/session';
import { attentionWords } from '../../shared/attention';
import { countPage, formatCount, MAX_COUNTED_ROWS, useCountOfFailingEndpoints } from '../../shared/counts';
import { NotLoaded } from '../../shared/feedback';
import { addDays } from '../../shared/local-time';
import { plural } from '../../shared/words';
import { TextLink } from '../../shared/text-link';
import { useToday } from '../../shared/today';
import type * as CauseRows from './CauseRows';
import { ResolveAll } from './ResolveAll';

// The tables of the causes load when a cause is opened.
const loadRows = () => import('./CauseRows').catch((): typeof CauseRows => ({ AttentionRows: NotLoaded, FailingEndpoints: NotLoaded }));
const AttentionRows = lazy(async () => ({ default: (await loadRows()).AttentionRows }));
const FailingEndpoints = lazy(async () => ({ default: (await loadRows()).FailingEndpoints }));

/** A problem with all that have it. */
export interface Cause {
  key: string;
  title: string;
  /** The usual solution. */
  advice: string;
  count: string;
  since?: string;
  /** The action for all of them. */
  action?: React.ReactNode;
  rows: () => React.ReactNode;
}

/** Accounts that have used this percentage of their credit limit are listed. */
const CREDIT_WARNING_PERCENT = 90;
/** Older orders that are shipped in part are on the board. */
const PART_SHIPPED_DAYS = 90;

/** What needs attention, the codes in the order of the API. The floor sees the causes that it can work on. */
export function useCauses() {
  const [environment] = useEnvironment();
  const isOffice = useHasRole('office');
  const countsQuery = { environment, ...(isOffice ? {} : { about: 'work' as const }) };
  const counts = useQuery({
    queryKey: ['attention', 'counts', countsQuery],
    queryFn: () => callApi(studio.GET('/attention/counts', { params: { query: countsQuery } })),
  });
  const endpoints = useCountOfFailingEndpoints(environment, isOffice);
  const accountsQuery = { creditUsedOver: CREDIT_WARNING_PERCENT, limit: MAX_COUNTED_ROWS };
  const accounts = useQuery({
    queryKey: ['accounts', 'near limit', environment],
    queryFn: async () => countPage(await callApiPage(studio.GET('/accounts', { params: { query: accountsQuery } }))),
    enabled: isOffice && environment === 'live', // the API counts live orders only
  });
  const partShippedSearch = { partShipped: 'true', sort: 'oldest', from: addDays(useToday(), -PART_SHIPPED_DAYS) } as const;
  const partShippedQuery = { environment, ...partShippedSearch, limit: MAX_COUNTED_ROWS };
  const partShipped = useQuery({
    queryKey: ['orders', 'part shipped', partShippedQuery],
    queryFn: async () => countPage(await callApiPage(studio.GET('/orders', { params: { query: partShippedQuery } }))),
  });
  const queries = [counts, partShipped, endpoints, accounts];
  const webhooks = webhooksCause(
    endpoints.data,
    counts.data?.find(({ code }) => code === 'DELIVERY_FAILED'),
  );
  const causes = [
    ...(webhooks === null ? [] : [webhooks]),
    ...(counts.data ?? []).filter(({ code }) => code !== 'DELIVERY_FAILED').map((count) => attentionCause(count, isOffice)),
    ...nonEmptyCause(partShipped.data, {
      key: 'partShipped',
      title: 'Partly shipped',
      advice: 'Some pieces are in no parcel yet. Pack them, or complete the order.',
      rows: () => (
        <TextLink to="/board" search={partShippedSearch}>
          View orders
        </TextLink>
      ),
    }),
    ...nonEmptyCause(accounts.data, {
      key: 'creditLimit',
      title: `More than ${CREDIT_WARNING_PERCENT} % of the credit limit used`,
      advice: 'Their next order may be refused. Ask for a payment or raise the limit.',
      rows: () => (
        <TextLink to="/accounts" search={{ creditUsedOver: `${CREDIT_WARNING_PERCENT}`, sort: 'creditUsed' }}>
          View accounts
        </TextLink>
      ),
    }),
  ];
  return {
    causes,
    isLoading: queries.some((query) => query.isLoading),
    error: queries.find((query) => query.error !== null)?.error ?? null,
    retry: () => queries.filter((query) => query.isError).forEach((query) => void query.refetch()),
  };
}

function attentionCause({ code, orders, oldestSince }: Schema<'AttentionCount'>, isOffice: boolean): Cause {
  return {
    key: code,
    ...attentionWords(code),
    count: formatCount(orders),
    since: oldestSince,
    ...(isOffice && { action: <ResolveAll code={code} orders={orders} /> }),
    rows: () => <AttentionRows code={code} />,
  };
}

/** Failing endpoints and the orders with undelivered webhooks are one cause. */
function webhooksCause(endpoints: string | number | undefined, failed: Schema<'AttentionCount'> | undefined): Cause | null {
  if (!endpoints && failed === undefined) return null;
  const counts = [
    ...(endpoints ? [`${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}`] : []),
    ...(failed ? [plural(failed.orders, 'order')] : []),
  ];
  return {
    key: 'DELIVERY_FAILED',
    ...attentionWords('DELIVERY_FAILED'),
    count: counts.join(', '),
    ...(failed && { since: failed.oldestSince, action: <ResolveAll code={failed.code} orders={failed.orders} /> }),
    rows: () => <FailingEndpoints failedOrders={failed?.orders ?? 0} />,
  };
}

const nonEmptyCause = (count: number | string | undefined, cause: Omit<Cause, 'count'>): Cause[] =>
  count ? [{ ...cause, count: String(count) }] : [];
