import { mayActAs, type Role } from './roles';

/** What the studio is told of as it changes: the role that hears of it (money and webhooks are the office's), and which ids are told. */
const NEWS = {
  order: { role: 'floor', ids: ['orderId'] },
  attention: { role: 'floor', ids: ['orderId', 'code', 'state'] },
  delivery: { role: 'office', ids: ['deliveryId', 'orderId'] },
  invoice: { role: 'office', ids: ['invoiceId', 'orderId', 'accountId'] },
  account: { role: 'office', ids: ['accountId'] },
  endpoint: { role: 'office', ids: ['endpointId', 'accountId'] },
} as const satisfies Record<string, { role: Role; ids: readonly string[] }>;

type NewsKind = keyof typeof NEWS;
const KINDS = Object.keys(NEWS) as NewsKind[];

/** What was changed: the ids of each thing, in the order above; null: more than are listed. */
export interface NewsRow {
  kind: NewsKind;
  ids: string[][] | null;
}

/**
 * Event streams: how many at once in one process, of one token or session, of one token with all sessions that signed in by it, and of all;
 * and how often their credentials are judged. Of a token so few that those of others find room, however often somebody signs in.
 */
export const STREAMS = { perCaller: 10, perToken: 40, perProcess: 200, judgedMs: 15_000 } as const;

export interface NewsItem {
  kind: NewsKind;
  data: string;
}

/** Beyond so many at once, reading everything again is less work than reading each. */
const MAX_AT_ONCE = 500;

/** What changed, each thing once, oldest first; null: too much to tell one by one. */
export function itemsOf(rows: readonly NewsRow[]): NewsItem[] | null {
  const items = new Map<string, NewsItem>();
  for (const { kind, ids } of rows) {
    if (ids === null) return null;
    for (const values of ids) {
      const data = JSON.stringify(Object.fromEntries(NEWS[kind].ids.map((name, at) => [name, values[at]])));
      // The latest stands last: raised, cleared, raised again ends as raised.
      items.delete(`${kind} ${data}`);
      items.set(`${kind} ${data}`, { kind, data });
    }
    if (items.size > MAX_AT_ONCE) return null;
  }
  return [...items.values()];
}

export const kindsFor = (role: Role): NewsKind[] => KINDS.filter((kind) => mayActAs(role, NEWS[kind].role));
