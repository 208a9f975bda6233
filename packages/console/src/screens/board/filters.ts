import { useNavigate, useSearch } from '@tanstack/react-router';
import { page, studio } from '../../api/studio';
import type { Environment, QueryOf } from '../../api/types';
import { useMay } from '../../session/session';
import { anyAttention } from '../../shared/attention';
import { known } from '../../shared/known';
import { ORDER_STATUSES } from '../../shared/order-status';

export const NAMES = [
  'status',
  'late',
  'partShipped',
  'attention',
  'accountId',
  'from',
  'to',
  'dueFrom',
  'dueBefore',
  'q',
  'sort',
] as const;
export type Filters = Partial<Record<(typeof NAMES)[number], string>>;
/** Each change is of what it names; undefined takes it away. */
export type Change = (change: { [Name in keyof Filters]?: string | undefined }) => void;

/** The filters of the address, and how to change them: it stays an address that one can send, also from the office to the floor. */
export function useFilters(): [Filters, Change] {
  const search: Filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const mayOffice = useMay('office');
  const set = Object.fromEntries(NAMES.flatMap((name) => (search[name] ? [[name, search[name]]] : []))) as Filters;
  const filters = set.attention === 'any' ? { ...set, attention: anyAttention(mayOffice) } : set;
  const change: Change = (changed) => void navigate({ to: '/board', search: { ...filters, ...changed } });
  return [filters, change];
}

/** How many filters besides these are set; what it is sorted by is none. */
export const countOf = (filters: Filters, ...besides: (keyof Filters)[]): number =>
  NAMES.filter((name) => name !== 'sort' && filters[name] !== undefined && !besides.includes(name)).length;

/** Whether orders of this status can be due, and so late; of undefined some can. What is sorted by that day is still to be shipped. */
export const canBeDue = (status = ''): boolean => known(ORDER_STATUSES, status)?.isToBeShipped !== false;

const ROWS_OF_A_PAGE = 50;

export function readOrders(environment: Environment, filters: Filters, cursor: string | undefined) {
  const query = { environment, limit: ROWS_OF_A_PAGE, ...filters, cursor };
  return page(studio.GET('/orders', { params: { query: query as QueryOf<'listOrders'> } }));
}
