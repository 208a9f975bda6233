import type { OrderState } from '../domain/order-status';
import { factsText, stateMark, versionOfMark } from '../domain/state-mark';
import { loadOrderState, loadOrderStates } from '../db/repositories/orders';
import { isPastDeadline } from '../temporal/breaker';
import { UnresponsiveRun, type RunningOrder } from '../temporal/runs';
import { orderWorkflowId } from '../../workflows/messages';
import { chunks, compareAll, readPages, type Finding, type ReconcileDeps } from './finding';
import { columns, nullable, text, time, type RowOf } from '../db/columns';

const OPEN_ORDER = columns('orders', {
  id: text,
  order_number: text,
  workflow_checked_at: nullable(time),
});
type OpenOrder = RowOf<typeof OPEN_ORDER>;

/**
 * Finds open orders whose workflow was started but is not running, runs without a stored order, and runs that differ from their row. The
 * repair starts, ends or reloads the run. Describes each order once, because visibility may lag and does not show failing workflow tasks.
 * Queries only runs that seem to differ: a query replays the run.
 */
export async function findDifferingOrders(deps: ReconcileDeps, running: ReadonlySet<string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  const others = new Set(running);
  const openOrders = `SELECT ${OPEN_ORDER.list} FROM orders WHERE settled_at IS NULL AND id > $1 ORDER BY id LIMIT $2`;
  for await (const page of readPages<OpenOrder>(deps, openOrders)) {
    const byId = new Map(page.map((order) => [order.id, order]));
    findings.push(...(await compareOrders(deps, [...byId.keys()], byId)));
    for (const { id } of page) others.delete(id);
  }
  for (const ids of chunks([...others])) findings.push(...(await compareOrders(deps, ids, new Map())));
  const isLost = ({ kind }: Finding): boolean => kind === 'order without a run';
  return [...findings.filter(isLost), ...findings.filter((finding) => !isLost(finding))];
}

/** Loads the rows before it describes the runs: a run that is ahead then is compared again. */
async function compareOrders(deps: ReconcileDeps, ids: readonly string[], open: ReadonlyMap<string, OpenOrder>): Promise<Finding[]> {
  const states = await loadOrderStates(deps.database, ids);
  return compareAll(ids, async (id) => {
    const run = await deps.temporal.runs.describeOrder(id);
    if (run === null) return orderWithoutRun(deps, open.get(id));
    const stored = states.get(id);
    if (stored === undefined) return runWithoutOrder(deps, id);
    return isUpToDate(run, stored) ? null : checkState(deps, id);
  });
}

/** The API starts workflows that were never started. */
function orderWithoutRun({ temporal }: ReconcileDeps, order: OpenOrder | undefined): Finding | null {
  if (order === undefined || order.workflow_checked_at === null) return null;
  return {
    kind: 'order without a run',
    subject: order.id,
    detail: `${order.order_number} is open, but its workflow is not running`,
    repair: () => temporal.orders.resume(order.id),
    isRepaired: () => temporal.runs.isRunning(orderWorkflowId(order.id)),
  };
}

function runWithoutOrder({ temporal }: ReconcileDeps, orderId: string): Finding {
  return {
    kind: 'run without an order',
    subject: orderId,
    detail: 'its workflow is running, but there is no such order',
    repair: async () =>
      (await isUnresponsive(temporal, orderId)) ? temporal.runs.terminate(orderId, TERMINATION_REASON) : temporal.runs.reload(orderId),
    isRepaired: async () => !(await temporal.runs.isRunning(orderWorkflowId(orderId))),
  };
}

/** True if the run's tasks succeed and its memo has the stored state or an earlier one, as in `differenceOf`. */
function isUpToDate({ isFailing, mark, orderNumber }: RunningOrder, stored: OrderState): boolean {
  if (isFailing || mark === null) return false;
  return mark === stateMark(stored) || (orderNumber === stored.orderNumber && versionOfMark(mark) < stored.version);
}

async function checkState(deps: ReconcileDeps, orderId: string): Promise<Finding | null> {
  const difference = await confirmedDifference(deps, orderId);
  if (difference === null) return null;
  if (difference === 'no answer') return unresponsiveRun(deps, orderId);
  return {
    kind: 'run differs',
    subject: orderId,
    detail: difference,
    repair: () => deps.temporal.runs.reload(orderId),
    isRepaired: async () => (await confirmedDifference(deps, orderId)) === null,
  };
}

/** Compares twice, because the order may change during the first comparison. */
async function confirmedDifference(deps: ReconcileDeps, orderId: string): Promise<string | null> {
  try {
    return (await differenceOf(deps, orderId)) === null ? null : await differenceOf(deps, orderId);
  } catch (error) {
    if (error instanceof UnresponsiveRun) return 'no answer';
    throw error;
  }
}

/**
 * Repairs a run whose workflow tasks fail by terminating it. An open order is then resumed from its row, a settled order when it receives a
 * message. Messages that the run had not processed remain only in its history.
 */
function unresponsiveRun(deps: ReconcileDeps, orderId: string): Finding {
  const { temporal } = deps;
  return {
    kind: 'unresponsive run',
    subject: orderId,
    detail:
      'its workflow tasks fail; the run is terminated, and an open order is resumed from its row. Signals that it had not processed are only in its history and must be sent again',
    async repair() {
      await temporal.runs.terminate(orderId, TERMINATION_REASON);
      if ((await openOrder(deps, orderId)) !== null) await temporal.orders.resume(orderId);
    },
    isRepaired: () => isConsistent(deps, orderId),
  };
}

const TERMINATION_REASON = 'trade-print reconcile: its workflow tasks fail';

/** True if the run of an open order has the stored state. For other orders, true if no run exists. */
async function isConsistent(deps: ReconcileDeps, orderId: string): Promise<boolean> {
  if ((await openOrder(deps, orderId)) === null) return !(await deps.temporal.runs.isRunning(orderWorkflowId(orderId)));
  try {
    return (await deps.temporal.runs.queryOrderState(orderId)) !== null && (await differenceOf(deps, orderId)) === null;
  } catch (error) {
    if (error instanceof UnresponsiveRun || isPastDeadline(error)) return false;
    throw error;
  }
}

function openOrder({ database }: ReconcileDeps, orderId: string): Promise<OpenOrder | null> {
  return database.row(`SELECT ${OPEN_ORDER.list} FROM orders WHERE id = $1 AND settled_at IS NULL`, [orderId]);
}

async function isUnresponsive(temporal: ReconcileDeps['temporal'], orderId: string): Promise<boolean> {
  try {
    await temporal.runs.queryOrderState(orderId);
    return false;
  } catch (error) {
    if (error instanceof UnresponsiveRun) return true;
    throw error;
  }
}

/**
 * Describes how a run differs from its row; null if they agree or one is missing. A row may be ahead of its run, which loads the row with
 * its next message. A run that is ahead, or other facts for the same version, are the result of a restored backup.
 */
async function differenceOf({ database, temporal }: ReconcileDeps, orderId: string): Promise<string | null> {
  const runState = await temporal.runs.queryOrderState(orderId);
  const stored = await loadOrderState(database, orderId);
  if (runState === null || stored === null) return null;
  const isSameOrder = runState.orderNumber === stored.orderNumber;
  if (isSameOrder && runState.version < stored.version) return null;
  if (isSameOrder && runState.version === stored.version && factsText(runState.facts) === factsText(stored.facts)) return null;
  const describeVersion = ({ orderNumber, version }: OrderState) => `${orderNumber} at version ${version}`;
  const isSameVersion = describeVersion(runState) === describeVersion(stored);
  return `its workflow has ${describeVersion(runState)}, the database has ${isSameVersion ? 'other content for that version' : describeVersion(stored)}`;
}
