import { useQuery } from '@tanstack/react-query';
import { ask, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import type { Search } from '../../shared/address';
import { useAddress } from '../../shared/address';

type State = Of<'Delivery'>['state'];
type Sort = 'newest' | 'oldest' | 'nextAttempt';

/** What of the address the API is asked for. */
export interface Filter {
  state?: State;
  accountId?: string;
  endpointId?: string;
  orderId?: string;
  errorCode?: string;
  from?: string;
  to?: string;
  sort?: Sort;
}

/**
 * The address's filters as the API takes them. It knows orders by their ids, people by their numbers: `error` where a number is none,
 * `filter` undefined until the id is known.
 */
export function useFilter(): { filter: Filter | undefined; error: unknown } {
  const [search] = useAddress();
  const named = search.order;
  const isNumber = named !== undefined && !named.startsWith('ord_');
  const order = useQuery({
    queryKey: ['order', named],
    queryFn: () => ask(studio.GET('/orders/{id}', { params: { path: { id: named ?? '' } } })),
    enabled: isNumber,
  });
  const orderId = isNumber ? order.data?.orderId : named;
  if (isNumber && orderId === undefined) return { filter: undefined, error: order.error };
  return { filter: filterOf(search, orderId), error: null };
}

function filterOf({ state, account, endpoint, error, from, to, sort }: Search, orderId: string | undefined): Filter {
  const set = { state, accountId: account, endpointId: endpoint, orderId, errorCode: error, from, to, sort };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)) as Filter;
}
