import type { Query, QueryClient } from '@tanstack/react-query';

/** The first words of query keys that each event makes stale. */
export const EVENT_NOUNS = {
  order: ['orders', 'order', 'notes', 'today', 'audit'],
  delivery: ['deliveries', 'delivery', 'order', 'endpoints'],
  invoice: ['today', 'invoices', 'invoice', 'order', 'account', 'accounts', 'statement', 'payments', 'audit'],
  attention: ['attention', 'order', 'orders', 'audit'],
  account: ['account', 'accounts', 'notes', 'statement', 'payments', 'sends', 'order', 'audit'],
  run: ['runs', 'sends'],
  endpoint: ['endpoints', 'deliveries', 'order', 'audit'],
} as const;

/** The first word of a query key. */
export type Noun = string;

/** Refetches the queries of these nouns that are on screen. Without nouns: all but the session. */
export function invalidateNouns(queries: QueryClient, nouns?: readonly Noun[]): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [noun] }) => (nouns === undefined ? noun !== 'session' : nouns.includes(String(noun))),
  });
}

const ID = /\b([a-z]{3})_[0-9a-f]{32}\b/g;

/** The ids in the text of an event or a query, by their prefixes. */
export function idsIn(text: string): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const [id, prefix = ''] of text.matchAll(ID)) ids.set(prefix, (ids.get(prefix) ?? new Set()).add(id));
  return ids;
}

export type EventIds = ReturnType<typeof idsIn>;

/**
 * Whether an event may change the query. A query about one order, account or delivery ignores the events of others; a list without ids is
 * affected by every event.
 */
export function isAffected({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>, event: EventIds): boolean {
  const { orderId, invoiceId } = (state.data ?? {}) as { orderId?: string; invoiceId?: string };
  const own = idsIn(JSON.stringify([queryKey, isOne(queryKey) ? [orderId, invoiceId] : []]));
  return [...own].every(([prefix, ids]) => {
    const changed = event.get(prefix);
    return changed === undefined || [...ids].some((id) => changed.has(id));
  });
}

/** Queries with a number in their key, whose data has the id. */
const isOne = ([noun]: readonly unknown[]): boolean => noun === 'order' || noun === 'invoice';
