import { longestUnseen, markSeen } from '../../src/db/repositories/order-turns';
import { ORDERS_TASK_QUEUE } from '../../workflows/messages';
import type { sweep as sweepWorkflow } from '../../workflows';
import { number, type Report } from '../report';
import type { Stage } from '../stage';

/** As many as a run looks at, as many at once. */
const PER_RUN = 5_000;
const BATCH = 250;

/** One run of the sweeper, which asks Temporal about the open orders that are first in line; none of them is lost. */
export async function sweep({ temporal }: Stage, open: number, report: Report): Promise<void> {
  const startedAt = performance.now();
  const { orders, looked } = await temporal.workflow.execute<typeof sweepWorkflow>('sweep', {
    workflowId: 'growth-sweep',
    taskQueue: ORDERS_TASK_QUEUE,
  });
  report.notes.push(
    `a run of the sweeper with ${open.toLocaleString('en')} open orders that all run: ${number((performance.now() - startedAt) / 1000)} s, looked at ${looked}, resumed ${orders}`,
  );
}

/** What a run asks of PostgreSQL where every order that is stored is open. Comes last: they stay so. */
export async function turns({ database }: Stage, report: Report): Promise<void> {
  await database.run(`UPDATE orders SET settled_at = NULL, workflow_seen_at = now() - random() * interval '17 hours'`);
  await database.run('VACUUM ANALYZE orders');
  const open = await database.row<{ count: number }>('SELECT count(*)::int AS count FROM orders WHERE settled_at IS NULL');
  const startedAt = performance.now();
  for (let looked = 0; looked < PER_RUN; looked += BATCH) {
    const page = await longestUnseen(database, new Date(), BATCH);
    const ids = page.map(({ id }) => id);
    await markSeen(database, ids, new Date());
  }
  report.notes.push(
    `a run of the sweeper with ${(open?.count ?? 0).toLocaleString('en')} open orders, what it asks of PostgreSQL: ${number((performance.now() - startedAt) / 1000)} s for ${PER_RUN}`,
  );
}
