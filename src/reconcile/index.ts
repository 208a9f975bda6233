import { setTimeout as delay } from 'node:timers/promises';
import { isGrpcDeadlineError } from '@temporalio/client';
import { AT_ONCE, chunks, type Finding, type FindingKind, type ReconcileDeps } from './finding';
import { balancesThatDiffer, invoicesThatDiffer } from './ledger';
import { givenOutBy } from './given-out';
import { numbersBehind } from './numbers';
import { ordersWithoutRun, runsThatDiffer } from './orders';
import { deliveriesWithoutRetries, holdsWithoutRun } from './waiting';
import { remakesBehind } from './remakes';
import { mapLimited } from '../runtime/map-limited';

export class ReconcileProblem extends Error {}

export interface ReconcileOptions {
  /** Tells what it finds and mends nothing. */
  dryRun: boolean;
  /**
   * The database was just put back to an earlier state, and no process runs yet: sees to numbers alone, for which no worker is needed. A
   * worker draws numbers of credit notes as soon as it starts, for what was under way.
   */
  restored: boolean;
  /** Numbers that somebody knows to have been given out though neither side does, of any kind. */
  givenOut: readonly string[];
}

export interface Reconciled {
  findings: { kind: FindingKind; subject: string; detail: string; mended: boolean }[];
  /** Numbers that a lost order had and another order has been given since: nothing mends that. */
  givenTwice: { orderNumber: string; orderId: string; lostOrderId: string }[];
}

/** How long a workflow may take over what it was told, ms. */
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 200;
const START_WORKERS = 'without which no workflow can answer; start the worker and the relay (not yet the API), then try again';

/**
 * Compares what PostgreSQL has stored with what Temporal runs and makes them agree, after either was lost or restored to an earlier state.
 * PostgreSQL is right, except about numbers that were given out since (ruling 48). May be run at any time; a second run finds nothing.
 * @throws ReconcileProblem when no worker is there to answer for the workflows
 */
export async function reconcile(deps: ReconcileDeps, options: ReconcileOptions): Promise<Reconciled> {
  if (options.restored) return compared(deps, options);
  if (!(await deps.temporal.workerIsPolling('orders')))
    throw new ReconcileProblem(`no worker asks for the work of orders, ${START_WORKERS}`);
  try {
    return await compared(deps, options);
  } catch (error) {
    // For a minute after a worker has stopped, Temporal still counts it in.
    if (isGrpcDeadlineError(error))
      throw new ReconcileProblem(`a workflow did not answer in time: no worker may be there, ${START_WORKERS}`);
    throw error;
  }
}

async function compared(deps: ReconcileDeps, { dryRun, restored, givenOut }: ReconcileOptions): Promise<Reconciled> {
  const { running, numbers } = await readRuns(deps);
  const byRuns = givenOutBy(numbers.keys());
  const known = givenOutBy([...numbers.keys(), ...givenOut]);
  // Numbers first: an order that is placed meanwhile draws one.
  const ofNumbers = [
    () => numbersBehind(deps, { known: known.highest, byRuns: byRuns.highest, restored }),
    () => remakesBehind(deps, known.remakes),
  ];
  const ofTheRest = [
    () => ordersWithoutRun(deps, running),
    () => runsThatDiffer(deps, running),
    () => holdsWithoutRun(deps),
    () => deliveriesWithoutRetries(deps),
    () => invoicesThatDiffer(deps),
    () => balancesThatDiffer(deps),
  ];
  const findings: Reconciled['findings'] = [];
  for (const find of restored ? ofNumbers : [...ofNumbers, ...ofTheRest]) {
    const found = await find();
    findings.push(...(await mapLimited(found, AT_ONCE, (finding) => (dryRun ? told(finding, false) : mended(finding)))));
  }
  return { findings, givenTwice: await givenTwice(deps, numbers) };
}

/** One pass over Temporal's list of orders' runs: which run, and the ids under each order number. */
async function readRuns({ temporal }: ReconcileDeps) {
  const running = new Set<string>();
  const numbers = new Map<string, Set<string>>();
  for await (const { orderId, orderNumber, isRunning } of temporal.runs.ofOrders()) {
    if (isRunning) running.add(orderId);
    if (orderNumber !== null) numbers.set(orderNumber, (numbers.get(orderNumber) ?? new Set()).add(orderId));
  }
  return { running, numbers };
}

async function told({ kind, subject, detail }: Finding, isMended: boolean): Promise<Reconciled['findings'][number]> {
  return { kind, subject, detail, mended: isMended };
}

async function mended(finding: Finding): Promise<Reconciled['findings'][number]> {
  await finding.mend();
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    if (await finding.isMended()) return told(finding, true);
    if (Date.now() > deadline) return told(finding, false);
    await delay(LOOK_AGAIN_MS);
  }
}

/** Runs whose number another order has: it was given out again before anybody reconciled. */
async function givenTwice(
  { database }: ReconcileDeps,
  numbers: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Reconciled['givenTwice']> {
  const twice: Reconciled['givenTwice'] = [];
  for (const some of chunks([...numbers.keys()])) {
    const stored = await database.rows<{ id: string; order_number: string }>(
      'SELECT id, order_number FROM orders WHERE order_number = ANY ($1)',
      [some],
    );
    for (const { id, order_number } of stored) {
      for (const orderId of numbers.get(order_number) ?? [])
        if (orderId !== id) twice.push({ orderNumber: order_number, orderId: id, lostOrderId: orderId });
    }
  }
  return twice;
}
