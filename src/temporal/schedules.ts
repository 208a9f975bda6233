import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { TemporalContext } from './options';

/** The schedule that finds runs Temporal has lost; made once, left alone afterwards. */
export async function ensureSweeper({ client, ordersTaskQueue }: TemporalContext): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: 'sweeper',
      spec: { intervals: [{ every: '5m' }] },
      action: { type: 'startWorkflow', workflowType: 'sweep', taskQueue: ordersTaskQueue, workflowId: 'sweep' },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
