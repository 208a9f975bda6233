import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type ScheduleHandle } from '@temporalio/client';
import type { TemporalContext } from './options';

/** The schedule that finds runs Temporal has lost; made once, left alone afterwards. */
export function ensureSweeper(context: TemporalContext): Promise<void> {
  return ensure(context, { scheduleId: 'sweeper', workflowType: 'sweep', every: '5m', catchupWindow: '1m' });
}

/** The schedule that forgets what has been kept long enough; made once, left alone afterwards. */
export function ensureRetention(context: TemporalContext): Promise<void> {
  return ensure(context, { scheduleId: 'retention', workflowType: 'retention', every: '1d', catchupWindow: '1d' });
}

/** The hour, on the studio's clock, at which it is mailed what needs a person. */
const MAIL_HOUR = 7;

/**
 * The schedule that mails the studio what needs a person, every morning by the clock of its time zone; made once, left alone
 * afterwards but for that.
 * @param timeZone of the studio, as its price book has it
 */
export function ensureAttentionMail(context: TemporalContext, timeZone: string): Promise<void> {
  return ensure(context, { scheduleId: 'attention', workflowType: 'attention', atHour: MAIL_HOUR, timeZone, catchupWindow: '12h' });
}

interface Recurring {
  scheduleId: string;
  workflowType: 'sweep' | 'retention' | 'attention';
  catchupWindow: '1m' | '12h' | '1d';
}
type Rhythm = { every: '5m' | '1d' } | { atHour: number; timeZone: string };

async function ensure(
  { client, ordersTaskQueue }: TemporalContext,
  { scheduleId, workflowType, catchupWindow, ...rhythm }: Recurring & Rhythm,
): Promise<void> {
  const spec = 'every' in rhythm ? { intervals: [rhythm] } : { calendars: [{ hour: rhythm.atHour }], timezone: rhythm.timeZone };
  try {
    await client.schedule.create({
      scheduleId,
      spec,
      action: { type: 'startWorkflow', workflowType, taskQueue: ordersTaskQueue, workflowId: workflowType },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    if ('timeZone' in rhythm) await follow(client.schedule.getHandle(scheduleId), rhythm.timeZone);
  }
}

/** Where the studio's time zone has changed since the schedule was made, its hours do; whatever else somebody changed stays. */
async function follow(schedule: ScheduleHandle, timezone: string): Promise<void> {
  if ((await schedule.describe()).spec.timezone === timezone) return;
  await schedule.update(({ spec, ...rest }) => ({ ...rest, spec: { ...spec, timezone } }));
}
