import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { callApi, studio } from '../../api/studio';
import type { Schema } from '../../api/types';
import { useEnvironment } from '../../session/environment';
import { useMay } from '../../session/session';
import { formatCount, useCountOfFailingEndpoints } from '../../shared/counts';
import { ownValue } from '../../shared/own-value';
import { statusLabel } from '../../shared/status';
import { plural } from '../../shared/terms';
import { type AttentionCode, CREDIT_WARNING_PERCENT, useCountOfAccountsNearLimit, useCountOfPartShipped } from './counts';
import { ResolveAll } from './ResolveAll';

// The tables of the causes load when a cause is opened.
const loadRows = () => import('./CauseRows');
const AccountsNearLimit = lazy(async () => ({ default: (await loadRows()).AccountsNearLimit }));
const AttentionRows = lazy(async () => ({ default: (await loadRows()).AttentionRows }));
const FailingEndpoints = lazy(async () => ({ default: (await loadRows()).FailingEndpoints }));
const PartShippedOrders = lazy(async () => ({ default: (await loadRows()).PartShippedOrders }));

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

/** Titles and usual solutions by code. What is missing here does not compile. */
const WORDS: Readonly<Record<AttentionCode, readonly [title: string, advice: string]>> = {
  SHIPPED_AFTER_CANCEL: ['Shipped after the cancel', 'Ask the carrier to return the parcel, then void it.'],
  PAID_BUT_VOID: ['Paid, but the invoice is void', 'Refund the payment or reverse it.'],
  PAYMENT_REPEATED: ['Payment recorded twice', 'Reverse one of the two payments.'],
  ARTWORK_MISSING: ['Artwork missing', 'Ask the client to upload the file again.'],
  ARTWORK_UNREADABLE: ['Artwork unreadable', 'Ask the client for another file.'],
  ARTWORK_CHANGED: ['Artwork changed after the order', 'Ask the client which file to print.'],
  ARTWORK_LOW_RESOLUTION: ['Artwork resolution too low', 'Ask the client for a larger file.'],
  ARTWORK_REJECTED: ['Artwork rejected', 'Wait until the client uploads another file.'],
  SIGNAL_REFUSED: ['Message from the floor refused', 'If the step happened, record it on the order.'],
  DELIVERY_FAILED: ['Webhooks not delivered', 'Ask the client to repair the endpoint, then recover its webhooks.'],
  CONFIRMATION_FAILED: ['Confirmation mail refused', 'Ask the client for the right address.'],
  CONFIRMATION_WITHHELD: ['Confirmation mail not sent', 'The account cancelled many orders today. Confirm the order yourself.'],
  CANCELLATION_REQUESTED: ['Cancellation requested in Temporal', 'Cancel the order, or resolve this and continue.'],
};

/** What needs attention, the codes in the order of the API. The floor sees the causes that it can work on. */
export function useCauses() {
  const [environment] = useEnvironment();
  const mayOffice = useMay('office');
  const counts = useQuery({
    queryKey: ['attention', 'counts', environment, mayOffice],
    queryFn: () =>
      callApi(studio.GET('/attention/counts', { params: { query: { environment, ...(mayOffice ? {} : { about: 'work' as const }) } } })),
  });
  const endpoints = useCountOfFailingEndpoints(environment, mayOffice);
  const accounts = useCountOfAccountsNearLimit(mayOffice && environment === 'live');
  const partShipped = useCountOfPartShipped(environment);
  const queries = [counts, partShipped, ...(mayOffice ? [endpoints, ...(environment === 'live' ? [accounts] : [])] : [])];
  const webhooks = webhooksCause(
    endpoints.data,
    counts.data?.find(({ code }) => code === 'DELIVERY_FAILED'),
  );
  const causes = [
    ...(webhooks === null ? [] : [webhooks]),
    ...(counts.data ?? []).filter(({ code }) => code !== 'DELIVERY_FAILED').map((count) => attentionCause(count, mayOffice)),
    ...nonEmptyCause(partShipped.data, {
      key: 'partShipped',
      title: 'Partly shipped',
      advice: 'Some pieces are in no parcel yet. Pack them, or complete the order.',
      rows: () => <PartShippedOrders />,
    }),
    ...nonEmptyCause(accounts.data, {
      key: 'creditLimit',
      title: `More than ${CREDIT_WARNING_PERCENT} % of the credit limit used`,
      advice: 'Their next order may be refused. Ask for a payment or raise the limit.',
      rows: () => <AccountsNearLimit />,
    }),
  ];
  return {
    causes,
    isPending: queries.some((query) => query.isPending),
    error: queries.find((query) => query.error !== null)?.error ?? null,
    retry: () => queries.forEach((query) => void query.refetch()),
  };
}

function attentionCause({ code, orders, oldestSince }: Schema<'AttentionCount'>, mayOffice: boolean): Cause {
  const [title, advice] = ownValue(WORDS, code) ?? [statusLabel(code), 'Open the orders.'];
  return {
    key: code,
    title,
    advice,
    count: formatCount(orders),
    since: oldestSince,
    ...(mayOffice && { action: <ResolveAll code={code} title={title} orders={orders} /> }),
    rows: () => <AttentionRows code={code} />,
  };
}

/** Failing endpoints and the orders with undelivered webhooks are one cause. */
function webhooksCause(endpoints: string | number | undefined, failed: Schema<'AttentionCount'> | undefined): Cause | null {
  if (!endpoints && failed === undefined) return null;
  const [title, advice] = WORDS.DELIVERY_FAILED;
  const counts = [
    endpoints ? `${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}` : '',
    failed ? plural(failed.orders, 'order') : '',
  ];
  return {
    key: 'DELIVERY_FAILED',
    title,
    advice,
    count: counts.filter((text) => text !== '').join(', '),
    ...(failed && { since: failed.oldestSince, action: <ResolveAll code={failed.code} title={title} orders={failed.orders} /> }),
    rows: () => <FailingEndpoints failedOrders={failed?.orders ?? 0} />,
  };
}

const nonEmptyCause = (count: number | string | undefined, cause: Omit<Cause, 'count'>): Cause[] =>
  count ? [{ ...cause, count: String(count) }] : [];
