import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { TemporalContext } from './options';

/** The schedule that finds runs Temporal has lost; made once, left alone afterwards. */
export function ensureSweeper(context: TemporalContext): Promise<void> {
  return ensure(context, { scheduleId: 'sweeper', workflowType: 'sweep', every: '5m', catchupWindow: '1m' });
}

/** The schedule that forgets what has been kept long enough; made once, left alone afterwards. */
export function ensureRetention(context: TemporalContext): Promise<void> {
  return ensure(context, { scheduleId: 'retention', workflowType: 'retention', every: '1d', catchupWindow: '1d' });
}

interface Recurring {
  scheduleId: string;
  workflowType: 'sweep' | 'retention';
  every: '5m' | '1d';
  catchupWindow: '1m' | '1d';
}

async function ensure(
  { client, ordersTaskQueue }: TemporalContext,
  { scheduleId, workflowType, every, catchupWindow }: Recurring,
): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId,
      spec: { intervals: [{ every }] },
      action: { type: 'startWorkflow', workflowType, taskQueue: ordersTaskQueue, workflowId: workflowType },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
