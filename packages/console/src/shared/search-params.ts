import { useNavigate, useSearch } from '@tanstack/react-router';

/** The query parameters of each screen. The router drops all others. */
export const SEARCH_PARAMS = {
  '/': ['code'],
  '/station': ['order'],
  '/board': [
    'status',
    'late',
    'partShipped',
    'stage',
    'attention',
    'material',
    'accountId',
    'from',
    'to',
    'dueFrom',
    'dueBefore',
    'q',
    'sort',
  ],
  '/labels': [],
  '/orders/$order': [],
  '/accounts': ['q', 'status', 'creditUsedOver', 'sort'],
  '/accounts/$account': ['tab', 'payment', 'q', 'state', 'bucket', 'overdue', 'from', 'to', 'sort'],
  '/invoices': ['q', 'state', 'bucket', 'overdue', 'account', 'from', 'to', 'sort'],
  '/invoices/$invoice': [],
  '/payments': ['tab', 'account', 'source', 'reversed', 'from', 'to', 'reversedFrom', 'reversedTo', 'sort'],
  '/sends': ['account', 'document', 'state', 'run'],
  '/deliveries': ['state', 'account', 'endpoint', 'order', 'error', 'from', 'to', 'sort'],
  '/deliveries/$delivery': [],
  '/catalogue': ['section', 'q'],
  '/prices': ['view', 'book', 'against', 'from'],
  '/audit': ['actor', 'subject', 'action', 'from', 'to', 'sort'],
  '/settings': [],
  '/sessions': [],
} as const;

export type ScreenPath = keyof typeof SEARCH_PARAMS;
export type SearchOf<Path extends ScreenPath> = { [Name in (typeof SEARCH_PARAMS)[Path][number]]?: string };
/** The query of any screen. Each screen reads the parameters it knows. */
export type Search = Readonly<{ [Name in (typeof SEARCH_PARAMS)[ScreenPath][number]]?: string | undefined }>;

/** Keeps the parameters of a screen that are non-empty texts. */
export const validateSearch =
  <Path extends ScreenPath>(path: Path) =>
  (search: Record<string, unknown>): SearchOf<Path> => {
    const names: readonly string[] = SEARCH_PARAMS[path];
    const valid = Object.entries(search).filter(([name, value]) => names.includes(name) && typeof value === 'string' && value !== '');
    return Object.fromEntries(valid) as SearchOf<Path>;
  };

/** With `push`, the browser's Back returns to the earlier query; without, to the earlier screen. */
type Change = (changes: Search, push?: 'push') => void;

export function useSearchParams(): [Search, Change] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change: Change = (changes, push) => {
    void navigate({ to: '.', search: (before: Search) => ({ ...before, ...changes }), replace: push === undefined });
  };
  return [search, change];
}
