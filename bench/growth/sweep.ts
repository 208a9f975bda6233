import { ORDERS_TASK_QUEUE } from '../../workflows/messages';
import type { sweep as sweepWorkflow } from '../../workflows';
import { number, type Report } from '../report';
import type { Stage } from '../stage';

/** One sweep, which asks Temporal about every open order; none of them is lost. */
export async function sweep({ temporal }: Stage, open: number, report: Report): Promise<void> {
  const startedAt = performance.now();
  const { orders } = await temporal.workflow.execute<typeof sweepWorkflow>('sweep', {
    workflowId: 'growth-sweep',
    taskQueue: ORDERS_TASK_QUEUE,
  });
  report.notes.push(
    `a sweep over ${open.toLocaleString('en')} open orders that all run: ${number((performance.now() - startedAt) / 1000)} s, resumed ${orders}`,
  );
}
