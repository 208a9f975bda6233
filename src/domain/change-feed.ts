import { hasRole, type Role } from './roles';

/**
 * Kinds of changes in the studio's event stream, each with its ids and the least role that receives it. Money and webhooks need the office
 * role.
 */
const CHANGES = {
  order: { role: 'floor', ids: ['orderId'] },
  attention: { role: 'floor', ids: ['orderId', 'code', 'state'] },
  delivery: { role: 'office', ids: ['deliveryId', 'orderId'] },
  invoice: { role: 'office', ids: ['invoiceId', 'orderId', 'accountId'] },
  account: { role: 'office', ids: ['accountId'] },
  run: { role: 'office', ids: ['runId'] },
  endpoint: { role: 'office', ids: ['endpointId', 'accountId'] },
} as const satisfies Record<string, { role: Role; ids: readonly string[] }>;

type ChangeKind = keyof typeof CHANGES;
const CHANGE_KINDS = Object.keys(CHANGES) as ChangeKind[];

/** The changed ids of one kind, in the order above; null if there were too many to record. */
export interface ChangeFeedRow {
  kind: ChangeKind;
  ids: string[][] | null;
}

/**
 * Limits of event streams for each token or session, for each token with all its sessions, and for each process. `recheckMs` is how often
 * credentials are checked again. The limit for a token leaves capacity for other tokens.
 */
export const STREAM_LIMITS = { perCaller: 10, perToken: 40, perProcess: 200, recheckMs: 15_000 } as const;

export interface ChangeFeedItem {
  kind: ChangeKind;
  data: string;
}

/** Above this number of changes, a full reload is less work than separate reads. */
const MAX_ITEMS = 500;

/** Returns each change once, oldest first; null if there are too many to list. */
export function toChangeFeedItems(rows: readonly ChangeFeedRow[]): ChangeFeedItem[] | null {
  const items = new Map<string, ChangeFeedItem>();
  for (const { kind, ids } of rows) {
    if (ids === null) return null;
    for (const values of ids) {
      const data = JSON.stringify(Object.fromEntries(CHANGES[kind].ids.map((name, index) => [name, values[index]])));
      // A repeated change moves to the end, so that raised, cleared, raised ends as raised.
      items.delete(`${kind} ${data}`);
      items.set(`${kind} ${data}`, { kind, data });
    }
    if (items.size > MAX_ITEMS) return null;
  }
  return [...items.values()];
}

export const changeKindsFor = (role: Role): ChangeKind[] => CHANGE_KINDS.filter((kind) => hasRole(role, CHANGES[kind].role));
