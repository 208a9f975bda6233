import { isGrpcServiceError, type Client, type WorkflowExecutionInfo, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import type { Temporal } from '../temporal';
import { unwrapGrpcError } from '../temporal/breaker';
import { QUEUE_OF, workflowBundle } from '../temporal/workflow-bundle';
import { CommandFailure, usageError } from './errors';
import { errorLine } from './connections';

export interface ReplayFlags {
  query?: string;
  limit: number;
}

const RUNNING = 'ExecutionStatus = "Running"';

type Run = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'type'>;

export interface ReplayedType {
  type: string;
  matching: number;
  /** The newest runs, up to the limit. */
  runs: Run[];
  replayed: Run[];
  failures: { run: Run; reason: string }[];
}

/**
 * Replays runs with the workflows of this build, as Temporal recommends before a deployment. Histories are decoded, because workflows
 * depend on their inputs. The limit applies to each type, so quotes do not displace orders.
 */
export async function replay({ client, codecs }: Temporal, { query, limit }: ReplayFlags): Promise<ReplayedType[]> {
  if (query?.trim() === '')
    throw usageError(`--query is empty; leave it out for ${RUNNING}, or use a filter such as WorkflowType = "order"`);
  const types = await findMatchingRuns(client, query ?? RUNNING, limit);
  if (query !== undefined && types.length === 0) throw new CommandFailure('no run matches --query');
  // The SDK's log is off, because the report lists the failures. The runtime needs a worker to end it, so it is installed only if one
  // starts.
  const logger = new DefaultLogger('ERROR', () => undefined);
  if (types.some(({ type }) => QUEUE_OF[type] !== undefined))
    Runtime.install({ shutdownSignals: [], logger, telemetryOptions: { logging: { forward: {} } } });
  for (const found of types) {
    const { runs, replayed, failures } = found;
    const queue = QUEUE_OF[found.type];
    if (queue === undefined) {
      failures.push(...runs.map((run) => ({ run, reason: 'this build has no workflow of this type' })));
      continue;
    }
    const options = { workflowBundle: await workflowBundle(queue), dataConverter: { payloadCodecs: codecs } };
    const replayedRuns = replayed.values(); // in the same order as the results
    for await (const { error } of Worker.runReplayHistories(options, fetchHistories(client, found))) {
      const run = replayedRuns.next().value;
      if (run !== undefined && error !== undefined) failures.push({ run, reason: failureReason(error) });
    }
  }
  return types;
}

async function findMatchingRuns(client: Client, query: string, limit: number): Promise<ReplayedType[]> {
  const types = new Map<string, ReplayedType>();
  try {
    for await (const run of client.workflow.list({ query, pageSize: 1000 })) {
      const entry = types.get(run.type) ?? { type: run.type, matching: 0, runs: [], replayed: [], failures: [] };
      types.set(run.type, entry);
      entry.matching += 1;
      if (entry.runs.length < limit) entry.runs.push(run);
    }
  } catch (error) {
    const cause = unwrapGrpcError(error);
    throw isGrpcServiceError(cause) && cause.code === INVALID_ARGUMENT ? usageError(`--query: ${errorLine(cause)}`) : error;
  }
  return [...types.values()];
}

/** The SDK's core describes the failure in Rust's debug format (observed in 1.24.0). */
const failureReason = ({ message }: Error): string => /\bmessage: "((?:[^"\\]|\\.)+)"/.exec(message)?.[1] ?? errorLine(message);

const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;

async function* fetchHistories(client: Client, { runs, replayed }: ReplayedType) {
  for (const run of runs) {
    const history = await historyOf(client, run);
    if (history === null) continue;
    replayed.push(run);
    yield { workflowId: run.workflowId, history };
  }
}

/** The history of a run; null if no workflow task has completed yet, or if Temporal has deleted the run. */
export async function historyOf(client: Client, { workflowId, runId }: Pick<Run, 'workflowId' | 'runId'>): Promise<History | null> {
  try {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    return history.events?.some((event) => event.workflowTaskCompletedEventAttributes) ? history : null;
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === NOT_FOUND) return null;
    throw error;
  }
}

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

export function formatReplay(types: readonly ReplayedType[]): string[] {
  if (types.length === 0) return ['no running workflows'];
  return [
    ...types.map(
      ({ type, matching, replayed, failures }) => `${type}: ${replayed.length} of ${matching} replayed, ${failures.length} failed`,
    ),
    ...types.flatMap(({ failures }) => failures.map(({ run, reason }) => `FAILED  ${run.workflowId}, run ${run.runId}: ${reason}`)),
  ];
}
