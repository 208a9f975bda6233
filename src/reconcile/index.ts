import { setTimeout as delay } from 'node:timers/promises';
import { CONCURRENCY, chunks, type Finding, type FindingKind, type ReconcileDeps } from './finding';
import { compareBalances, compareInvoices } from './ledger';
import { issuedNumbersIn } from './issued-numbers';
import { findNumbersBehind } from './numbers';
import { findDifferingOrders } from './orders';
import { findDeliveriesWithoutRetries, findUnmarkedQuotes } from './lost-workflows';
import { findRemakesBehind } from './remakes';
import { mapLimited } from '../runtime/map-limited';
import { isPastDeadline } from '../temporal/breaker';

export class ReconcileError extends Error {}

export interface ReconcileOptions {
  /** Reports the findings and repairs nothing. */
  dryRun: boolean;
  /**
   * The database was just restored and no process runs yet. Only the number sequences are repaired, which needs no worker. Before this
   * repair, a worker could issue credit note numbers a second time.
   */
  restored: boolean;
  /** Numbers that operators know to be issued, although neither PostgreSQL nor Temporal has them. */
  issuedNumbers: readonly string[];
}

export interface ReconcileResult {
  findings: { kind: FindingKind; subject: string; detail: string; repaired: boolean }[];
  /** Numbers that were issued twice: to a lost order and to a later order. They cannot be repaired. */
  issuedTwice: { orderNumber: string; orderId: string; lostOrderId: string }[];
}

/** How long Temporal may take to say who polls, ms: longer than for a readiness check. */
const WORKER_TIMEOUT_MS = 15_000;
/** How long a workflow may take for a repair, ms. */
const REPAIR_TIMEOUT_MS = 30_000;
const RECHECK_INTERVAL_MS = 200;
const START_WORKERS = 'so workflows cannot answer; start the worker and the relay (not yet the API), then try again';

/**
 * Compares PostgreSQL with Temporal and repairs differences, after one of them was lost or restored. PostgreSQL is authoritative, except
 * for numbers issued after its backup (ruling 48). It may run at any time; a second run finds nothing.
 * @throws ReconcileError if no worker can answer for the workflows
 */
export async function reconcile(deps: ReconcileDeps, options: ReconcileOptions): Promise<ReconcileResult> {
  if (options.restored) return compareAndRepair(deps, options);
  if (!(await deps.temporal.isWorkerPolling('orders', WORKER_TIMEOUT_MS)))
    throw new ReconcileError(`no worker polls the task queue of orders, ${START_WORKERS}`);
  try {
    return await compareAndRepair(deps, options);
  } catch (error) {
    // For a minute after a worker has stopped, Temporal still lists it.
    if (isPastDeadline(error))
      throw new ReconcileError(`a workflow did not answer in time; probably no worker is running, ${START_WORKERS}`);
    throw error;
  }
}

async function compareAndRepair(deps: ReconcileDeps, { dryRun, restored, issuedNumbers }: ReconcileOptions): Promise<ReconcileResult> {
  const { running, numbers } = await readRuns(deps);
  const issuedByRuns = issuedNumbersIn(numbers.keys());
  const issued = issuedNumbersIn([...numbers.keys(), ...issuedNumbers]);
  // Repairs the numbers first, because new orders draw numbers during the reconciliation.
  const numberChecks = [
    () => findNumbersBehind(deps, { issued: issued.highest, issuedByRuns: issuedByRuns.highest, restored }),
    () => findRemakesBehind(deps, issued.remakes),
  ];
  const otherChecks = [
    () => findDifferingOrders(deps, running),
    () => findUnmarkedQuotes(deps),
    () => findDeliveriesWithoutRetries(deps),
    () => compareInvoices(deps),
    () => compareBalances(deps),
  ];
  const findings: ReconcileResult['findings'] = [];
  for (const find of restored ? numberChecks : [...numberChecks, ...otherChecks]) {
    const foundNow = await find();
    findings.push(
      ...(await mapLimited(foundNow, CONCURRENCY, async (finding) => (dryRun ? toResultEntry(finding, false) : repairAndReport(finding)))),
    );
  }
  return { findings, issuedTwice: await findDuplicateNumbers(deps, numbers) };
}

/** Reads Temporal's list of order runs. Returns the ids of orders with a running workflow, and the order ids by order number. */
async function readRuns({ temporal }: ReconcileDeps) {
  const running = new Set<string>();
  const numbers = new Map<string, Set<string>>();
  for await (const { orderId, orderNumber, isRunning } of temporal.runs.listOrderRuns()) {
    if (isRunning) running.add(orderId);
    if (orderNumber !== null) numbers.set(orderNumber, (numbers.get(orderNumber) ?? new Set()).add(orderId));
  }
  return { running, numbers };
}

function toResultEntry({ kind, subject, detail }: Finding, repaired: boolean): ReconcileResult['findings'][number] {
  return { kind, subject, detail, repaired };
}

async function repairAndReport(finding: Finding): Promise<ReconcileResult['findings'][number]> {
  await finding.repair();
  const deadline = Date.now() + REPAIR_TIMEOUT_MS;
  for (;;) {
    if (await finding.isRepaired()) return toResultEntry(finding, true);
    if (Date.now() > deadline) return toResultEntry(finding, false);
    await delay(RECHECK_INTERVAL_MS);
  }
}

/** Finds runs whose order number was issued again to another order before the reconciliation. */
async function findDuplicateNumbers(
  { database }: ReconcileDeps,
  numbers: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<ReconcileResult['issuedTwice']> {
  const duplicates: ReconcileResult['issuedTwice'] = [];
  for (const chunk of chunks([...numbers.keys()])) {
    const stored = await database.rows<{ id: string; order_number: string }>(
      'SELECT id, order_number FROM orders WHERE order_number = ANY ($1)',
      [chunk],
    );
    for (const { id, order_number } of stored) {
      for (const orderId of numbers.get(order_number) ?? [])
        if (orderId !== id) duplicates.push({ orderNumber: order_number, orderId: id, lostOrderId: orderId });
    }
  }
  return duplicates;
}
