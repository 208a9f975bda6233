import { mapLimited } from '../src/runtime/map-limited';
import { versionOfMark } from '../src/domain/state-mark';
import { findOrdersToCheck, markChecked, type OrderToCheck } from '../src/db/repositories/order-checks';
import type { LostOrdersResult } from './contract';
import type { ActivityDeps } from './deps';

/** Orders younger than this are skipped, because the API may still be starting their workflow. */
const MIN_AGE_MS = 60_000;
/** Limits of one run. The sweep runs every five minutes, so it checks a million open orders within 17 hours. */
const MAX_ORDERS_PER_RUN = 5_000;
const TIME_LIMIT_MS = 60_000;
const BATCH_SIZE = 250;
const CONCURRENCY = 8;

/**
 * Checks the orders that have not been checked for the longest time: open ones, and those that settled since their check. Resumes an open
 * order without a running workflow. A workflow with an older version than its order loads the order again: its worker died after it stored a
 * change, and nobody repeated the request. Describes each workflow by its id, because visibility queries lag and slow down with the number
 * of open orders.
 */
export async function resumeLostOrders(deps: ActivityDeps, abortSignal: AbortSignal): Promise<LostOrdersResult> {
  const before = new Date(deps.clock.now().getTime() - MIN_AGE_MS);
  const deadlineMs = performance.now() + TIME_LIMIT_MS;
  const result: LostOrdersResult = { orders: 0, looked: 0, oldestCheckAt: null };
  for (let pageSize = BATCH_SIZE; pageSize === BATCH_SIZE && result.looked < MAX_ORDERS_PER_RUN && performance.now() < deadlineMs;) {
    abortSignal.throwIfAborted();
    const checkedAt = deps.clock.now(); // An order that settles during its check is checked once more.
    const orders = await findOrdersToCheck(deps.database, before, BATCH_SIZE);
    result.oldestCheckAt ??= orders[0]?.workflow_checked_at.toISOString() ?? null;
    result.orders += await checkAll(deps, orders);
    const ids = orders.map(({ id }) => id);
    await markChecked(deps.database, ids, checkedAt);
    result.looked += pageSize = orders.length;
  }
  return result;
}

/**
 * An order that cannot be checked is logged and does not hold up the others; the next round checks it again.
 * @returns the number of resumed and reloaded orders
 * @throws the last failure if every check fails, as during an outage of Temporal
 */
async function checkAll(deps: ActivityDeps, orders: readonly OrderToCheck[]): Promise<number> {
  const failures: unknown[] = [];
  const resumed = await mapLimited(orders, CONCURRENCY, async (order) => {
    try {
      return await checkWorkflow(deps, order);
    } catch (error) {
      failures.push(error);
      deps.logger.warn({ err: error, orderId: order.id }, 'the workflow of an order could not be checked');
      return false;
    }
  });
  if (failures.length > 0 && failures.length === orders.length) throw failures.at(-1);
  return resumed.filter(Boolean).length;
}

/** @returns whether the workflow was resumed or loads its order again */
async function checkWorkflow({ temporal }: ActivityDeps, { id, version, settled_at }: OrderToCheck): Promise<boolean> {
  const run = await temporal.runs.describeOrder(id);
  if (run === null) return settled_at === null && temporal.orders.resume(id);
  if (run.mark === null || run.isFailing || versionOfMark(run.mark) >= version) return false;
  await temporal.runs.reload(id);
  return true;
}
