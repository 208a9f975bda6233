import { hasRole, type Role } from './roles';

/** What the studio is told of as it changes: the role that hears of it (money and webhooks are the office's), and which ids are told. */
const CHANGES = {
  order: { role: 'floor', ids: ['orderId'] },
  attention: { role: 'floor', ids: ['orderId', 'code', 'state'] },
  delivery: { role: 'office', ids: ['deliveryId', 'orderId'] },
  invoice: { role: 'office', ids: ['invoiceId', 'orderId', 'accountId'] },
  account: { role: 'office', ids: ['accountId'] },
  endpoint: { role: 'office', ids: ['endpointId', 'accountId'] },
} as const satisfies Record<string, { role: Role; ids: readonly string[] }>;

type ChangeKind = keyof typeof CHANGES;
const CHANGE_KINDS = Object.keys(CHANGES) as ChangeKind[];

/** What was changed: the ids of each thing, in the order above; null: more than are listed. */
export interface ChangeFeedRow {
  kind: ChangeKind;
  ids: string[][] | null;
}

/**
 * Event streams: how many at once in one process, of one token or session, of one token with all sessions that signed in by it, and of all;
 * and how often their credentials are judged. Of a token so few that those of others find room, however often somebody signs in.
 */
export const STREAM_LIMITS = { perCaller: 10, perToken: 40, perProcess: 200, recheckMs: 15_000 } as const;

export interface ChangeFeedItem {
  kind: ChangeKind;
  data: string;
}

/** Beyond so many at once, reading everything again is less work than reading each. */
const MAX_ITEMS = 500;

/** What changed, each thing once, oldest first; null: too much to tell one by one. */
export function toChangeFeedItems(rows: readonly ChangeFeedRow[]): ChangeFeedItem[] | null {
  const items = new Map<string, ChangeFeedItem>();
  for (const { kind, ids } of rows) {
    if (ids === null) return null;
    for (const values of ids) {
      const data = JSON.stringify(Object.fromEntries(CHANGES[kind].ids.map((name, index) => [name, values[index]])));
      // The latest stands last: raised, cleared, raised again ends as raised.
      items.delete(`${kind} ${data}`);
      items.set(`${kind} ${data}`, { kind, data });
    }
    if (items.size > MAX_ITEMS) return null;
  }
  return [...items.values()];
}

export const changeKindsFor = (role: Role): ChangeKind[] => CHANGE_KINDS.filter((kind) => hasRole(role, CHANGES[kind].role));
