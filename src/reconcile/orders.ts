import { canonicalJson } from '../domain/canonical-json';
import type { OrderFacts, OrderState } from '../domain/order-status';
import { isGrpcDeadlineError } from '@temporalio/client';
import { loadOrderState } from '../db/repositories/orders';
import { UnresponsiveRun } from '../temporal/runs';
import { orderWorkflowId } from '../../workflows/messages';
import { chunks, compareAll, compareRows, type Finding, type ReconcileDeps } from './finding';
import { columns, text, type RowOf } from '../db/columns';

const OPEN_ORDER = columns('orders', {
  id: text,
  order_number: text,
});
type OpenOrder = RowOf<typeof OPEN_ORDER>;

/** Open orders whose workflow does not run are resumed. One whose workflow was never started is the API's to start. */
export function findOrdersWithoutRun(deps: ReconcileDeps, running: ReadonlySet<string>): Promise<Finding[]> {
  return compareRows<OpenOrder>(
    deps,
    `SELECT ${OPEN_ORDER.list} FROM orders WHERE settled_at IS NULL AND workflow_seen_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2`,
    (order) => checkRun(deps, order, running),
  );
}

async function checkRun({ temporal }: ReconcileDeps, order: OpenOrder, running: ReadonlySet<string>): Promise<Finding | null> {
  if (running.has(order.id) || (await temporal.runs.isRunning(orderWorkflowId(order.id)))) return null;
  return {
    kind: 'order without a run',
    subject: order.id,
    detail: `${order.order_number} is open, and its workflow does not run`,
    repair: () => temporal.orders.resume(order.id),
    isRepaired: () => temporal.runs.isRunning(orderWorkflowId(order.id)),
  };
}

/** Runs of orders that are not stored end; runs that are ahead of the row, or hold other facts of its version, read it again. */
export async function findDifferingRuns(deps: ReconcileDeps, running: ReadonlySet<string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const ids of chunks([...running])) {
    const stored = new Set(await deps.database.column<string>('SELECT id FROM orders WHERE id = ANY ($1)', [ids]));
    findings.push(...(await compareAll(ids, (id) => (stored.has(id) ? checkState(deps, id) : checkOrderExists(deps, id)))));
  }
  return findings;
}

async function checkOrderExists({ temporal }: ReconcileDeps, orderId: string): Promise<Finding | null> {
  if (!(await temporal.runs.isRunning(orderWorkflowId(orderId)))) return null;
  return {
    kind: 'run without an order',
    subject: orderId,
    detail: 'its workflow runs, and there is no such order',
    repair: async () =>
      (await isUnresponsive(temporal, orderId)) ? temporal.runs.terminate(orderId, TERMINATION_REASON) : temporal.runs.reload(orderId),
    isRepaired: async () => !(await temporal.runs.isRunning(orderWorkflowId(orderId))),
  };
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

/** Asked twice: between the two looks of the first time the order may have changed. */
async function confirmedDifference(deps: ReconcileDeps, orderId: string): Promise<string | null> {
  try {
    return (await differenceOf(deps, orderId)) === null ? null : await differenceOf(deps, orderId);
  } catch (error) {
    if (error instanceof UnresponsiveRun) return 'no answer';
    throw error;
  }
}

/**
 * A run whose workflow tasks fail is ended; an open order's is resumed from its row, and a settled one's is with its next message.
 * What it was sent and never took up stays in its history alone.
 */
function unresponsiveRun(deps: ReconcileDeps, orderId: string): Finding {
  const { temporal } = deps;
  return {
    kind: 'unresponsive run',
    subject: orderId,
    detail:
      'the tasks of its workflow fail; ended, and resumed from its row where the order is open. Signals that it had not taken up are in its history alone: have them sent again',
    async repair() {
      await temporal.runs.terminate(orderId, TERMINATION_REASON);
      if ((await openOrder(deps, orderId)) !== null) await temporal.orders.resume(orderId);
    },
    isRepaired: () => isConsistent(deps, orderId),
  };
}

const TERMINATION_REASON = 'trade-print reconcile: its workflow tasks fail';

/** Whether the run of an open order holds what is stored, and that of any other has closed. */
async function isConsistent(deps: ReconcileDeps, orderId: string): Promise<boolean> {
  if ((await openOrder(deps, orderId)) === null) return !(await deps.temporal.runs.isRunning(orderWorkflowId(orderId)));
  try {
    return (await deps.temporal.runs.queryOrderState(orderId)) !== null && (await differenceOf(deps, orderId)) === null;
  } catch (error) {
    if (error instanceof UnresponsiveRun || isGrpcDeadlineError(error)) return false;
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
 * Null where they agree or one is missing. A stored version ahead of the run's is normal: the run loads it with its next message (ruling 54).
 * A run ahead, or other facts of the same version, come from a restored backup.
 */
async function differenceOf({ database, temporal }: ReconcileDeps, orderId: string): Promise<string | null> {
  const runState = await temporal.runs.queryOrderState(orderId);
  const stored = await loadOrderState(database, orderId);
  if (runState === null || stored === null) return null;
  const isSameOrder = runState.orderNumber === stored.orderNumber;
  if (isSameOrder && runState.version < stored.version) return null;
  if (isSameOrder && runState.version === stored.version && haveSameFacts(runState, stored)) return null;
  const describeVersion = ({ orderNumber, version }: OrderState) => `${orderNumber} after ${version} changes`;
  const isSameVersion = describeVersion(runState) === describeVersion(stored);
  return `its workflow holds ${describeVersion(runState)}, stored is ${isSameVersion ? 'other content of that version' : describeVersion(stored)}`;
}

/** The run keeps ids in the order of its messages, the database in its own. */
function haveSameFacts(runState: OrderState, stored: OrderState): boolean {
  return canonicalJson(withSortedIds(runState.facts)) === canonicalJson(withSortedIds(stored.facts));
}

function withSortedIds(facts: OrderFacts): object {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, Array.isArray(fact) ? fact.toSorted() : fact]));
}
