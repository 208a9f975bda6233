import { SCHEDULE_IDS } from '../../../../src/temporal/schedule-reports';
import { startService, type TestService } from '../../../support/service';
import { waitFor } from '../../../support/wait-for';
import { aToken } from './support';

interface Schedule {
  id: string;
  state: string;
  note: string | null;
  nextRunAt: string | null;
  runs: { status: string; endedAt: string | null; result: Record<string, unknown> | null; workflowUrl: string }[];
}

describe('/schedules', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await service.deps.temporal.ensureSchedules('UTC');
  });
  afterAll(async () => {
    for (const id of SCHEDULE_IDS) await service.deps.temporal.client.schedule.getHandle(id).delete();
    await service.stop();
  });
  const sweeper = () => service.deps.temporal.client.schedule.getHandle('sweeper');
  const told = async (): Promise<Schedule | undefined> => {
    const { status, json } = await service.studio(await aToken(service, 'office')).get<Schedule[]>('/schedules');
    expect(status).toBe(200);
    return json.data.find(({ id }) => id === 'sweeper');
  };

  it('tells each run with what it did, when the next is, and that somebody paused it', async () => {
    await sweeper().trigger();
    const ended = await waitFor('a run that ended', async () => {
      const schedule = await told();
      return schedule?.runs[0]?.status === 'completed' && schedule;
    });
    expect(ended).toMatchObject({ state: 'running', note: null, nextRunAt: expect.stringMatching(/Z$/) });
    expect(ended.runs[0]).toMatchObject({
      endedAt: expect.stringMatching(/Z$/),
      result: { orders: 0, looked: 0, oldestCheckAt: null, deliveries: 0, idempotencyRecords: 0 },
      workflowUrl: expect.stringContaining('/workflows/sweep'),
    });
    await sweeper().pause('moving house');
    expect(await told()).toMatchObject({ state: 'paused', note: 'moving house' });
  });
});
