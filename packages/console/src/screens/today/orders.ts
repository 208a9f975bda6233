import { page, studio } from '../../api/studio';
import type { Environment } from '../../api/types';
import { useList } from '../../shared/list';
import type { OrderRow } from '../../shared/orders';

interface Narrowed {
  late?: 'true';
  /** Days as `2026-11-22`. */
  dueFrom?: string;
  dueBefore?: string;
  /** Of a page. */
  limit: number;
}

/** Orders still to be shipped, the soonest due first. */
export function useDue(environment: Environment, narrowed: Narrowed) {
  return useList<OrderRow>(['orders', environment, 'due', narrowed], (cursor) => {
    const query = { environment, sort: 'dueDate' as const, ...narrowed, ...(cursor === undefined ? {} : { cursor }) };
    return page(studio.GET('/orders', { params: { query } }));
  });
}
