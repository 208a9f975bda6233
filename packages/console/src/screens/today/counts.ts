import { useQuery } from '@tanstack/react-query';
import { callApiPage, studio } from '../../api/studio';
import type { Environment } from '../../api/types';
import { countPage, PAGE_COUNTED } from '../../shared/counts';
import { addDays } from '../../shared/local-time';
import { useToday } from '../../shared/today';

/** Accounts that have used this percentage of their credit limit are listed. */
export const CREDIT_WARNING_PERCENT = 90;
/** Older orders that are shipped in part are on the board. */
const PART_SHIPPED_DAYS = 90;
export function useCountOfAccountsNearLimit(enabled: boolean) {
  const query = { creditUsedOver: CREDIT_WARNING_PERCENT, limit: PAGE_COUNTED };
  return useQuery({
    queryKey: ['accounts', 'near limit'],
    queryFn: async () => countPage(await callApiPage(studio.GET('/accounts', { params: { query } }))),
    enabled,
  });
}

export function usePartShippedSearch() {
  return { partShipped: 'true', sort: 'oldest', from: addDays(useToday(), -PART_SHIPPED_DAYS) } as const;
}

export function useCountOfPartShipped(environment: Environment) {
  const query = { environment, ...usePartShippedSearch(), limit: PAGE_COUNTED };
  return useQuery({
    queryKey: ['orders', 'part shipped', environment, query.from],
    queryFn: async () => countPage(await callApiPage(studio.GET('/orders', { params: { query } }))),
  });
}
