/** A schedule from Temporal; `schedule` is null if no worker has created it yet. */
interface ScheduleReport {
  id: string;
  schedule: { isPaused: boolean; note: string | null; nextRunAt: Date | null } | null;
  runs: { workflowId: string; startedAt: Date; endedAt: Date | null; status: string; result: unknown; failure: string | null }[];
}

/** A schedule with its purpose, next run and last runs, newest first (studio API "Endpoints"). */
export function presentSchedule({ id, schedule, runs }: ScheduleReport, does: string, urlOf: (workflowId: string) => string | null) {
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
