import { presentSchedule } from '../../presenters/schedules';
import type { ScheduleId } from '../../temporal/schedule-reports';
import * as json from '../openapi/json';
import type { HandlerResponse } from '../types';
import { EXAMPLE_TIME } from './support/examples';
import type { StudioEndpointRow, StudioRequest } from './support/types';
import { workflowUrl } from './support/workflow-url';

type Schedule = ReturnType<typeof presentSchedule>;

const SCHEDULE = json.resource<Schedule>('Schedule', {
  id: [json.string('of its Schedule in Temporal'), 'sweeper'],
  does: [json.string('what it is for'), 'finds orders and webhooks whose workflow Temporal lost, and removes what has expired'],
  state: [json.openEnum(['running', 'paused', 'missing'], 'missing: no worker has made it yet'), 'running'],
  note: json.nullable(json.string('why it is paused, as somebody wrote in Temporal')),
  nextRunAt: [json.nullable(json.time('null: it is paused or missing')), '2026-03-02T01:10:00.000Z'],
  runs: json.list(
    json.object<Schedule['runs'][number]>({
      startedAt: [json.time(), EXAMPLE_TIME],
      endedAt: [json.nullable(json.time('null: it runs')), '2026-03-02T01:05:01.000Z'],
      status: [
        json.string('completed, running, failed, timed_out, terminated, canceled; forgotten where Temporal keeps it no longer'),
        'completed',
      ],
      result: [
        json.nullable(json.mapOf(json.any('a figure or a time'), 'what it did; of a failed run, what its other steps did')),
        { orders: 0, deliveries: 0, looked: 212, oldestCheckAt: '2026-03-02T01:00:00.000Z', idempotencyRecords: 3, rateWindows: 1 },
      ],
      failure: json.nullable(json.string('why it failed; of the sweeper with the name of each step that failed')),
      workflowUrl: json.nullable(json.uri('in the Temporal Web UI')),
    }),
    'the last five, newest first',
  ),
});

export const SCHEDULES_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/schedules',
    role: 'office',
    id: 'listSchedules',
    summary: 'What runs by itself, when next, and how the last runs ended',
    response: json.list(SCHEDULE),
    errorCodes: ['TEMPORAL_AWAY'],
    handler: getSchedules,
  },
];

/** What each is for, in the studio's words. */
const PURPOSES: Record<ScheduleId, string> = {
  sweeper: 'finds orders and webhooks whose workflow Temporal lost, and removes what has expired',
  retention: 'forgets addresses of quotes that expired unordered',
  attention: 'mails the studio every morning what needs a person',
};

async function getSchedules(request: StudioRequest): Promise<HandlerResponse> {
  const reports = await request.deps.temporal.reportSchedules();
  return { data: reports.map((report) => presentSchedule(report, PURPOSES[report.id], (id) => workflowUrl(request, id))) };
}
