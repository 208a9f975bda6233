import { useQuery } from '@tanstack/react-query';
import { callApi, callApiPage, type Environment, type Schema, studio } from '../api/studio';
import { useHasRole } from '../session/session';

export type OrderCounts = Schema<'OrderCounts'>;

/** The API counts up to this number. */
const MAX_COUNTED = 10_000;

/** Counts orders by status, late orders and orders that need attention. The floor's count has only attention about the work. */
export function useOrderCounts(environment: Environment) {
  const query = { environment, ...(useHasRole('office') ? {} : { about: 'work' as const }) };
  return useQuery({
    queryKey: ['orders', 'counts', query],
    queryFn: () => callApi(studio.GET('/orders/counts', { params: { query } })),
  });
}

export function useWebhookDeliveryCounts(environment: Environment) {
  return useQuery({
    queryKey: ['deliveries', 'counts', environment],
    queryFn: () => callApi(studio.GET('/deliveries/counts', { params: { query: { environment } } })),
  });
}

/** `1,234`, or `10,000+` if there can be more. */
export const formatCount = (count: number): string => `${count.toLocaleString('en-AU')}${count >= MAX_COUNTED ? '+' : ''}`;

/** Without a count of the API, the rows of one page are counted, up to this number. */
export const MAX_COUNTED_ROWS = 100;

/** `12`, or `100+` if the list has more pages. */
export const countPage = ({ rows, nextCursor }: { rows: readonly unknown[]; nextCursor: string | null }): number | string =>
  nextCursor === null ? rows.length : `${MAX_COUNTED_ROWS}+`;

export function useCountOfFailingEndpoints(environment: Environment, enabled: boolean) {
  const query = { environment, failing: 'true', limit: MAX_COUNTED_ROWS } as const;
  return useQuery({
    queryKey: ['endpoints', 'failing', environment],
    queryFn: async () => countPage(await callApiPage(studio.GET('/webhook-endpoints', { params: { query } }))),
    enabled,
  });
}
