import { SCHEDULE_IDS } from '../../../src/temporal/schedule-reports';
import { expectSoon, waitFor } from '../../support/wait-for';
import { startOnDevServer, type OwnEnvironment } from '../workflows/environment';

/** A Temporal without schedules of other tests. */
describe('schedules', () => {
  let own: OwnEnvironment;
  beforeAll(async () => {
    own = await startOnDevServer([]);
  });
  afterAll(() => own.stop());
  beforeEach(() => Promise.all([ensureSchedules(), ensureSchedules()]));

  const ensureSchedules = (timeZone = 'Australia/Melbourne') => own.service.deps.temporal.ensureSchedules(timeZone);
  const scheduleHandle = (id: (typeof SCHEDULE_IDS)[number]) => own.service.deps.temporal.client.schedule.getHandle(id);

  it('two workers that start concurrently create each of them', async () => {
    const [sweeper, retention, attention, reminders] = await Promise.all(SCHEDULE_IDS.map((id) => scheduleHandle(id).describe()));
    const { taskQueue } = own.service;
    expect(sweeper).toMatchObject({ action: { workflowType: 'sweep', taskQueue }, spec: { intervals: [{ every: 300_000 }] } });
    expect(retention).toMatchObject({ action: { workflowType: 'retention', taskQueue }, spec: { intervals: [{ every: 86_400_000 }] } });
    expect(attention).toMatchObject({ action: { workflowType: 'attention', taskQueue }, policies: { catchupWindow: 43_200_000 } });
    expect(reminders).toMatchObject({
      action: { workflowType: 'reminders', taskQueue },
      spec: { calendars: [{ hour: [{ start: 8, end: 8 }] }] },
    });
  });

  it("the studio's mail is sent at seven by its clock, also after the studio moves", async () => {
    const readScheduledHours = async (timeZone: string) => {
      const { info } = await scheduleHandle('attention').describe();
      const clock = new Intl.DateTimeFormat('en-AU', { timeZone, timeStyle: 'short', hourCycle: 'h23' });
      return new Set(info.nextActionTimes.map((at) => clock.format(at)));
    };
    expect(await readScheduledHours('Australia/Melbourne')).toEqual(new Set(['07:00']));
    await ensureSchedules('Europe/Berlin');
    await expectSoon(() => readScheduledHours('Europe/Berlin')).toEqual(new Set(['07:00'])); // Temporal applies a change later
  });

  it('a start updates nothing if nothing differs', async () => {
    const updates = jest.spyOn(own.service.deps.temporal.client.connection.workflowService, 'updateSchedule');
    try {
      // Temporal may still apply what an earlier test changed.
      await waitFor('a start that updates nothing', async () => {
        updates.mockClear();
        await ensureSchedules();
        return updates.mock.calls.length === 0;
      });
      await ensureSchedules();
      await ensureSchedules();
      expect(updates).not.toHaveBeenCalled();
    } finally {
      updates.mockRestore();
    }
  });

  it('a start updates times, action and policies, and keeps a schedule paused with its note', async () => {
    const sweeper = scheduleHandle('sweeper');
    await sweeper.update((stored) => ({
      ...stored,
      spec: { ...stored.spec, intervals: [{ every: '1h' }] },
      action: { ...stored.action, taskQueue: 'of-an-earlier-release' },
      policies: { ...stored.policies, catchupWindow: '1h' },
    }));
    // Temporal applies a change later. A pause that arrives with an update is lost.
    const isUpdated = async () => (await sweeper.describe()).action.taskQueue === 'of-an-earlier-release';
    await waitFor('the update', isUpdated);
    await sweeper.pause('moving house');
    await waitFor('the pause', async () => (await sweeper.describe()).state.paused);
    await Promise.all([ensureSchedules(), ensureSchedules()]);
    await expectSoon(() => sweeper.describe()).toMatchObject({
      spec: { intervals: [{ every: 300_000 }] },
      action: { taskQueue: own.service.taskQueue },
      policies: { catchupWindow: 60_000 },
      state: { paused: true, note: 'moving house' },
    });
  });
});
