import {
  ScheduleNotFoundError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type ScheduleDescription,
  type WorkflowExecutionStatusName,
  type WorkflowHandle,
} from '@temporalio/client';
import { ApplicationFailure, rootCause } from '@temporalio/common';
import type { TemporalContext } from './options';

/** The ids of the service's Schedules. */
export const SCHEDULE_IDS = ['sweeper', 'retention', 'attention', 'reminders'] as const;
export type ScheduleId = (typeof SCHEDULE_IDS)[number];

/** How many of a schedule's last runs are reported. */
const MAX_RUNS = 5;

export interface ScheduledRun {
  workflowId: string;
  startedAt: Date;
  endedAt: Date | null;
  /** `FORGOTTEN` after Temporal's retention period. */
  status: WorkflowExecutionStatusName | 'FORGOTTEN';
  /** The workflow's result; for a failed run the results of its successful steps. Null if there are none. */
  result: unknown;
  /** The reason for the failure. */
  failure: string | null;
}

export interface ScheduleReport {
  id: ScheduleId;
  /** Null before a worker has created it. */
  schedule: { isPaused: boolean; note: string | null; nextRunAt: Date | null } | null;
  runs: ScheduledRun[];
}

/** Each schedule with its last runs. @throws TemporalUnavailable while Temporal does not answer */
export function reportSchedules(context: TemporalContext): Promise<ScheduleReport[]> {
  const { client, breaker, timeouts } = context;
  return breaker.run(() =>
    client.withDeadline(Date.now() + timeouts.responseMs, () => Promise.all(SCHEDULE_IDS.map((id) => reportSchedule(context, id)))),
  );
}

async function reportSchedule(context: TemporalContext, id: ScheduleId): Promise<ScheduleReport> {
  try {
    const { state, info } = await context.client.schedule.getHandle(id).describe();
    const schedule = { isPaused: state.paused, note: state.note || null, nextRunAt: (!state.paused && info.nextActionTimes[0]) || null };
    const lastActions = info.recentActions.slice(-MAX_RUNS).toReversed();
    return { id, schedule, runs: await Promise.all(lastActions.map((action) => loadRun(context, action))) };
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return { id, schedule: null, runs: [] };
    throw error;
  }
}

type Action = ScheduleDescription['info']['recentActions'][number];

async function loadRun({ client }: TemporalContext, { takenAt, action }: Action): Promise<ScheduledRun> {
  const { workflowId, firstExecutionRunId } = action.workflow;
  const handle = client.workflow.getHandle(workflowId, firstExecutionRunId);
  try {
    const { status, closeTime } = await handle.describe();
    // Reading the result of a running workflow would wait for its end.
    const hasOutcome = status.name === 'COMPLETED' || status.name === 'FAILED';
    const outcome = hasOutcome ? await outcomeOf(handle) : { result: null, failure: null };
    return { workflowId, startedAt: takenAt, endedAt: closeTime ?? null, status: status.name, ...outcome };
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return { workflowId, startedAt: takenAt, endedAt: null, status: 'FORGOTTEN', result: null, failure: null };
  }
}

async function outcomeOf(handle: WorkflowHandle): Promise<Pick<ScheduledRun, 'result' | 'failure'>> {
  try {
    return { result: await handle.result(), failure: null };
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const result: unknown = error.cause instanceof ApplicationFailure ? error.cause.details?.[0] : null;
    return { result, failure: rootCause(error.cause) ?? null };
  }
}
