import { useNavigate, useSearch } from '@tanstack/react-router';
import { callApiPage, studio } from '../../api/studio';
import type { Environment, QueryOf } from '../../api/types';
import { useMay } from '../../session/session';
import { anyAttention } from '../../shared/attention';
import { ownValue } from '../../shared/own-value';
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
/** Sets the named filters; undefined removes one. */
export type Change = (change: { [Name in keyof Filters]?: string | undefined }) => void;

/** The filters in the URL. A link from the office also works for the floor, which sees no attention about money. */
export function useFilters(): [Filters, Change] {
  const search: Filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const mayOffice = useMay('office');
  const set = Object.fromEntries(NAMES.flatMap((name) => (search[name] ? [[name, search[name]]] : []))) as Filters;
  const filters = set.attention === 'any' ? { ...set, attention: anyAttention(mayOffice) } : set;
  const change: Change = (changed) => void navigate({ to: '/board', search: { ...filters, ...changed } });
  return [filters, change];
}

/** Number of active filters without these. The sort is not a filter. */
export const countFilters = (filters: Filters, ...except: (keyof Filters)[]): number =>
  NAMES.filter((name) => name !== 'sort' && filters[name] !== undefined && !except.includes(name)).length;

/** Whether orders of this status can be due. True for all statuses together. */
export const canBeDue = (status = ''): boolean => ownValue(ORDER_STATUSES, status)?.isToBeShipped !== false;

const PAGE_SIZE = 50;

export function readOrders(environment: Environment, filters: Filters, cursor: string | undefined) {
  const query = { environment, limit: PAGE_SIZE, ...filters, cursor };
  return callApiPage(studio.GET('/orders', { params: { query: query as QueryOf<'listOrders'> } }));
}
