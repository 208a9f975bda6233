import { ApiError } from '../../../domain/errors';
import { presentSchedule } from '../../../presenters/schedules';
import { TemporalAway } from '../../../temporal/breaker';
import type { ScheduleId, ScheduleReport } from '../../../temporal/schedule-reports';
import type { Answer } from '../../types';
import type { StudioRequest } from '../types';
import { workflowUrl } from '../workflow-url';

/** What each is for, in the studio's words. */
const DOES: Record<ScheduleId, string> = {
  sweeper: 'finds orders and webhooks whose workflow Temporal lost, and removes what has expired',
  retention: 'forgets addresses of quotes that expired unordered',
  attention: 'mails the studio every morning what needs a person',
};

/** `GET /schedules`: as Temporal has them just now. */
export async function getSchedules(request: StudioRequest): Promise<Answer> {
  const reports = await reported(request);
  return { data: reports.map((report) => presentSchedule(report, DOES[report.id], (id) => workflowUrl(request, id))) };
}

async function reported({ deps }: StudioRequest): Promise<ScheduleReport[]> {
  try {
    return await deps.temporal.reportSchedules();
  } catch (error) {
    if (error instanceof TemporalAway)
      throw new ApiError('TEMPORAL_AWAY', 'Temporal does not answer, which alone knows the schedules; try again in a while', undefined, 5);
    throw error;
  }
}
