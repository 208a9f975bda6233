import type { ScheduleId, ScheduleReport } from '../../temporal/schedule-reports';
import * as json from '../openapi/json';
import type { HandlerResponse } from '../types';
import { EXAMPLE_TIME } from './support/examples';
import type { StudioEndpointRow, StudioRequest } from './support/types';
import { workflowUrl } from './support/workflow-url';

type Schedule = ReturnType<typeof presentSchedule>;

const SCHEDULE = json.resource<Schedule>('Schedule', {
  id: [json.string('the id of the Schedule in Temporal'), 'sweeper'],
  does: [json.string('its purpose'), 'resumes orders and webhooks that stopped, and deletes expired data'],
  state: [json.openEnum(['running', 'paused', 'missing'], 'missing: no worker has created it yet'), 'running'],
  note: json.nullable(json.string('the note in Temporal about the pause')),
  nextRunAt: [json.nullable(json.time('null if it is paused or missing')), '2026-03-02T01:10:00.000Z'],
  runs: json.list(
    json.object<Schedule['runs'][number]>({
      startedAt: [json.time(), EXAMPLE_TIME],
      endedAt: [json.nullable(json.time('null while it runs')), '2026-03-02T01:05:01.000Z'],
      status: [
        json.string('completed, running, failed, timed_out, terminated or canceled; forgotten if Temporal no longer keeps the run'),
        'completed',
      ],
      result: [
        json.nullable(json.mapOf(json.any('a number or a time'), 'the results of the steps that succeeded')),
        { orders: 0, deliveries: 0, looked: 212, oldestCheckAt: '2026-03-02T01:00:00.000Z', idempotencyRecords: 3, rateWindows: 1 },
      ],
      failure: json.nullable(json.string('the cause of the failure; for the sweeper with the name of each failed step')),
      workflowUrl: json.nullable(json.uri('the run in the Temporal Web UI')),
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
    summary: 'List schedules',
    description: 'Lists each schedule with its next and last runs.',
    response: json.list(SCHEDULE),
    errorCodes: ['SERVICE_UNAVAILABLE'],
    handler: getSchedules,
  },
];

/** The purpose of each schedule, shown to the studio. */
const PURPOSES: Record<ScheduleId, string> = {
  sweeper: 'resumes orders and webhooks that stopped, and deletes expired data',
  retention: 'erases addresses of expired quotes without an order, and deletes old webhook attempts',
  attention: 'mails the open problems to the studio every morning',
  reminders: 'mails accounts their overdue invoices every morning',
};

async function getSchedules(request: StudioRequest): Promise<HandlerResponse> {
  const reports = await request.deps.temporal.reportSchedules();
  return { data: reports.map((report) => presentSchedule(report, PURPOSES[report.id], (id) => workflowUrl(request, id))) };
}

/** A schedule with its purpose, next run and last runs, newest first (studio API "Endpoints"). */
function presentSchedule({ id, schedule, runs }: ScheduleReport, does: string, urlOf: (workflowId: string) => string | null) {
  return {
    id,
    does,
    state: stateOf(schedule),
    note: schedule?.note ?? null,
    nextRunAt: schedule?.nextRunAt?.toISOString() ?? null,
    runs: runs.map(({ workflowId, startedAt, endedAt, status, result, failure }) => ({
      startedAt: startedAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
      status: status.toLowerCase(),
      result: typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : null,
      failure,
      workflowUrl: urlOf(workflowId),
    })),
  };
}

function stateOf(schedule: ScheduleReport['schedule']): 'running' | 'paused' | 'missing' {
  if (schedule === null) return 'missing';
  return schedule.isPaused ? 'paused' : 'running';
}
