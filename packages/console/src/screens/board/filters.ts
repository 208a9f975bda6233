import { useNavigate, useSearch } from '@tanstack/react-router';
import { callApiPage, type Environment, type QueryOf, studio } from '../../api/studio';
import { useHasRole } from '../../session/session';
import { anyAttention } from '../../shared/attention';
import { ownValue } from '../../shared/own-value';
import { ORDER_STATUSES } from '../../shared/order-status';

export const FILTER_NAMES = [
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
export type Filters = Partial<Record<(typeof FILTER_NAMES)[number], string>>;
/** Sets the named filters; undefined removes one. */
export type ChangeFilters = (change: { [Name in keyof Filters]?: string | undefined }) => void;

/** The filters in the URL. In a link, `attention=any` means each problem that the person may see, so links of the office also work for the floor. */
export function useFilters(): [Filters, ChangeFilters] {
  const search: Filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const isOffice = useHasRole('office');
  const set = Object.fromEntries(FILTER_NAMES.flatMap((name) => (search[name] ? [[name, search[name]]] : []))) as Filters;
  const filters = set.attention === 'any' ? { ...set, attention: anyAttention(isOffice) } : set;
  const change: ChangeFilters = (changed) => void navigate({ to: '/board', search: { ...filters, ...changed } });
  return [filters, change];
}

/** The number of active filters, except those named in `except`. The sort is not a filter. */
export const countFilters = (filters: Filters, ...except: (keyof Filters)[]): number =>
  FILTER_NAMES.filter((name) => name !== 'sort' && filters[name] !== undefined && !except.includes(name)).length;

/** Whether orders of this status can be due. True without a status. */
export const canBeDue = (status = ''): boolean => ownValue(ORDER_STATUSES, status)?.isToBeShipped !== false;

const PAGE_SIZE = 50;

export function readOrders(environment: Environment, filters: Filters, cursor: string | undefined) {
  const query = { environment, limit: PAGE_SIZE, ...filters, cursor };
  return callApiPage(studio.GET('/orders', { params: { query: query as QueryOf<'listOrders'> } }));
}
