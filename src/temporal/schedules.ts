import { isDeepStrictEqual } from 'node:util';
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type ScheduleDescription } from '@temporalio/client';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/duration';
import { REMINDER_HOUR } from '../domain/pricing/reminders';
import type { TemporalContext } from './options';
import type { ScheduleId } from './schedule-reports';

/** The hour of the daily attention mail in the studio's time zone. */
const MAIL_HOUR = 7;

type Spec = Pick<ScheduleDescription['spec'], 'intervals' | 'calendars' | 'timezone'>;

interface ScheduleDefinition {
  scheduleId: ScheduleId;
  workflowType: 'sweep' | 'retention' | 'attention' | 'reminders';
  spec: Spec;
  catchupWindow: number;
}

/**
 * Creates the service's schedules, and updates those that differ from this release. Operators may pause them but not change their times.
 * Several workers may do this at once, because all write the same. A pause that is set during the milliseconds of an update is lost,
 * because the SDK sends no conflict token (https://github.com/temporalio/sdk-typescript/issues/1967).
 * @param timeZone the studio's time zone
 */
export async function ensureSchedules(context: TemporalContext, timeZone: string): Promise<void> {
  const definitions: ScheduleDefinition[] = [
    { scheduleId: 'sweeper', workflowType: 'sweep', spec: every(5 * MINUTE_MS), catchupWindow: MINUTE_MS },
    { scheduleId: 'retention', workflowType: 'retention', spec: every(DAY_MS), catchupWindow: DAY_MS },
    { scheduleId: 'attention', workflowType: 'attention', spec: daily(MAIL_HOUR, timeZone), catchupWindow: 12 * HOUR_MS },
    { scheduleId: 'reminders', workflowType: 'reminders', spec: daily(REMINDER_HOUR, timeZone), catchupWindow: 12 * HOUR_MS },
  ];
  const { client, timeouts } = context;
  await client.withDeadline(Date.now() + timeouts.responseMs, () =>
    Promise.all(definitions.map((definition) => ensureSchedule(context, definition))),
  );
}

async function ensureSchedule(
  { client, ordersTaskQueue }: TemporalContext,
  { scheduleId, workflowType, spec, catchupWindow }: ScheduleDefinition,
): Promise<void> {
  const action = { type: 'startWorkflow', workflowType, taskQueue: ordersTaskQueue, workflowId: workflowType } as const;
  const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow };
  try {
    await client.schedule.create({ scheduleId, spec, action, policies });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const withDefinition = (stored: ScheduleDescription): ScheduleDescription => ({
      ...stored,
      spec: { ...stored.spec, ...spec },
      action: { ...stored.action, ...action },
      policies: { ...stored.policies, ...policies },
    });
    const schedule = client.schedule.getHandle(scheduleId);
    const stored = await schedule.describe();
    if (!isDeepStrictEqual(withDefinition(stored), stored)) await schedule.update(withDefinition);
  }
}

/** Returns a spec in the form that Temporal describes, so that it can be compared with a stored one. */
function every(intervalMs: number): Spec {
  return { intervals: [{ every: intervalMs, offset: 0 }], calendars: [], timezone: '' };
}

function daily(hour: number, timezone: string): Spec {
  const only = (value: number) => [{ start: value, end: value, step: 1 }];
  const calendar = {
    second: only(0),
    minute: only(0),
    hour: only(hour),
    dayOfMonth: [{ start: 1, end: 31, step: 1 }],
    month: [{ start: 'JANUARY' as const, end: 'DECEMBER' as const, step: 1 }],
    year: [],
    dayOfWeek: [{ start: 'SUNDAY' as const, end: 'SATURDAY' as const, step: 1 }],
    comment: '',
  };
  return { intervals: [], calendars: [calendar], timezone };
}
