import { longestUnseen, markSeen, type OrderInTurn } from '../src/db/repositories/order-turns';
import type { ActivityDeps } from './deps';

/** Younger rows are left alone: whoever made them is probably just starting their workflow, ms. */
const GRACE_MS = 60_000;
/** A run looks at no more orders, nor longer: at five minutes between runs a million open orders have their turn within 17 hours. */
const PER_RUN = 5_000;
const TIME_LIMIT_MS = 60_000;
const BATCH = 250;
const AT_ONCE = 8;

export interface TurnTaken {
  orders: number;
  looked: number;
  /** Since when the order that was first in line had not been looked at, RFC 3339: how long a turn takes. Null where none was in line. */
  unseenSince: string | null;
}

/**
 * Looks at the open orders that nobody has looked at for longest, as the database knows, and resumes those whose workflow does not run.
 * Each is asked for by itself, of Temporal's own state: visibility is behind, and its answer grows with all that is open.
 */
export async function resumeLostOrders(deps: ActivityDeps): Promise<TurnTaken> {
  const before = new Date(deps.clock.now().getTime() - GRACE_MS);
  const untilMs = performance.now() + TIME_LIMIT_MS;
  const taken: TurnTaken = { orders: 0, looked: 0, unseenSince: null };
  for (let page = BATCH; page === BATCH && taken.looked < PER_RUN && performance.now() < untilMs;) {
    const orders = await longestUnseen(deps.database, before, BATCH);
    taken.unseenSince ??= orders[0]?.workflow_seen_at.toISOString() ?? null;
    taken.orders += await lookAtAll(deps, orders);
    const ids = orders.map(({ id }) => id);
    await markSeen(deps.database, ids, deps.clock.now());
    taken.looked += page = orders.length;
  }
  return taken;
}

async function lookAtAll(deps: ActivityDeps, orders: readonly OrderInTurn[]): Promise<number> {
  const line = orders.values();
  const look = async (): Promise<number> => {
    let resumed = 0;
    for (const order of line) if (await resumeUnlessRunning(deps, order)) resumed += 1;
    return resumed;
  };
  const looks = await Promise.all(Array.from({ length: AT_ONCE }, look));
  return looks.reduce((sum, resumed) => sum + resumed, 0);
}

async function resumeUnlessRunning({ temporal }: ActivityDeps, { id }: OrderInTurn): Promise<boolean> {
  return !(await temporal.orders.isRunning(id)) && temporal.orders.resume(id);
}
