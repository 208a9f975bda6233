import { useQuery } from '@tanstack/react-query';
import { ask, studio } from '../api/studio';
import type { Environment, Of } from '../api/types';
import { useMay } from '../session/session';

export type OrderCounts = Of<'OrderCounts'>;

/** Beyond, the API does not count. */
const MAX_COUNTED = 10_000;

/** How many orders there are now, of each status, late and in need of a person, for the floor because of the work: whenever placed. */
export function useOrderCounts(environment: Environment) {
  const query = { environment, ...(useMay('office') ? {} : { about: 'work' as const }) };
  return useQuery({
    queryKey: ['orders', 'counts', query],
    queryFn: () => ask(studio.GET('/orders/counts', { params: { query } })),
  });
}

export function useDeliveryCounts(environment: Environment) {
  return useQuery({
    queryKey: ['deliveries', 'counts', environment],
    queryFn: () => ask(studio.GET('/deliveries/counts', { params: { query: { environment } } })),
  });
}

/** `1,234`; `10,000+` where there may be more than were counted. */
export const countInWords = (count: number): string => `${count.toLocaleString('en-AU')}${count >= MAX_COUNTED ? '+' : ''}`;
