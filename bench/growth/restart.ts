import { until } from '../../dev/ports';
import type { OrderRef } from '../../src/temporal';
import { milestone, orderWorkflowId } from '../../workflows/messages';
import { number, percent, type Report } from '../report';
import type { Stage } from '../stage';
import { startWorker, type Opened } from './memory';

const CATCHING_UP_MS = 120_000;

interface Caught {
  /** ms until the first signal was applied, and until all were. */
  first: number;
  all: number;
}

/**
 * Signals that wait for a worker, from the start of its process until all are applied, against as many sent while it runs. Both
 * go to the orders that the worker had in its cache; after the restart it reads their histories again.
 */
export async function restart(stage: Stage, { worker, cached: orders }: Opened, report: Report): Promise<void> {
  const sent = (milestoneId: string, type: 'held' | 'released'): Promise<Caught> =>
    timed(stage, orders, milestoneId, () => signalAll(stage, orders, milestoneId, type));
  const running = [await sent('first', 'held')];
  await worker.stop();
  await signalAll(stage, orders, 'waiting', 'released');
  const begun = performance.now();
  const starting = startWorker(stage, 'worker-restarted');
  const restarted = await timed(stage, orders, 'waiting', () => Promise.resolve(), begun);
  await starting;
  running.push(await sent('last', 'held'));
  const rate = (orders.length * 1000) / (restarted.all - restarted.first);
  const floor = (orders.length * running.length * 1000) / running.reduce((sum, { all }) => sum + all, 0);
  report.rows.push({
    what: `${orders.length} signals that waited for a restarted worker, from the first applied on (floor: sent to a running one, before and after)`,
    ours: number(rate),
    floor: number(floor),
    ratio: percent(rate / floor),
  });
  report.notes.push(
    `restarted worker, ${orders.length} signals waiting: the first applied ${number(restarted.first / 1000)} s after its process was started, all after ${number(restarted.all / 1000)} s; ` +
      `sent to a running worker all were applied after ${running.map(({ all }) => number(all / 1000)).join(' and ')} s`,
  );
}

async function timed(
  stage: Stage,
  orders: readonly OrderRef[],
  milestoneId: string,
  send: () => Promise<void>,
  begun = performance.now(),
): Promise<Caught> {
  let first: number | undefined;
  const [all] = await Promise.all([
    until(
      'the signals were not applied',
      async () => {
        const [{ count } = { count: 0 }] = await stage.database.rows<{ count: number }>(
          `SELECT count(*) AS count FROM order_timeline WHERE order_id = ANY($1) AND milestone_id = $2 AND outcome = 'applied'`,
          [orders.map(({ orderId }) => orderId), milestoneId],
        );
        const elapsed = performance.now() - begun;
        if (count > 0) first ??= elapsed;
        return count >= orders.length ? elapsed : undefined;
      },
      { timeoutMs: CATCHING_UP_MS, everyMs: 100 },
    ),
    send(),
  ]);
  return { first: first ?? all, all };
}

async function signalAll({ temporal }: Stage, orders: readonly OrderRef[], milestoneId: string, type: 'held' | 'released'): Promise<void> {
  const left = [...orders];
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let order = left.pop(); order !== undefined; order = left.pop()) {
        await temporal.workflow.getHandle(orderWorkflowId(order.orderId)).signal(milestone, { milestoneId, type });
      }
    }),
  );
}
