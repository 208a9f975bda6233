import { isGrpcServiceError, type Client, type WorkflowExecutionInfo } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import type { Temporal } from '../temporal';
import { unwrapped } from '../temporal/breaker';
import { queueOf, workflowBundle } from '../workflow-bundle';
import { wrongUse } from './problems';
import { errorLine } from './reaching';

export interface ReplayFlags {
  query: string;
  limit: number;
}

type Run = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'type'>;

/** What became of the runs of one workflow type. */
export interface ReplayedType {
  type: string;
  matching: number;
  runs: Run[];
  failures: { run: Run; reason: string }[];
}

/**
 * Replays what runs in the namespace with the workflows of this build, as Temporal recommends before each deployment. Decoded, because
 * workflows decide by their inputs. The limit holds for each type: the quotes of a day would else crowd out the orders.
 */
export async function replay({ client, codecs }: Temporal, { query, limit }: ReplayFlags): Promise<ReplayedType[]> {
  const types = await matchingRuns(client, query, limit);
  // Failures are in the report. Only a worker ends the runtime, so it starts where there is one.
  const logger = new DefaultLogger('ERROR', () => undefined);
  if (types.length > 0) Runtime.install({ shutdownSignals: [], logger, telemetryOptions: { logging: { forward: {} } } });
  for (const { type, runs, failures } of types) {
    const options = { workflowBundle: await workflowBundle(queueOf(type)), dataConverter: { payloadCodecs: codecs } };
    const rest = runs.values(); // results come in the order of the histories
    for await (const { error } of Worker.runReplayHistories(options, historiesOf(client, runs))) {
      const run = rest.next().value;
      if (run !== undefined && error !== undefined) failures.push({ run, reason: reasonIn(error) });
    }
  }
  return types;
}

async function matchingRuns(client: Client, query: string, limit: number): Promise<ReplayedType[]> {
  const types = new Map<string, ReplayedType>();
  try {
    for await (const run of client.workflow.list({ query, pageSize: 1000 })) {
      const known = types.get(run.type) ?? { type: run.type, matching: 0, runs: [], failures: [] };
      types.set(run.type, known);
      known.matching += 1;
      if (known.runs.length < limit) known.runs.push(run);
    }
  } catch (error) {
    const cause = unwrapped(error);
    throw isGrpcServiceError(cause) && cause.code === INVALID_ARGUMENT ? wrongUse(`--query: ${errorLine(cause)}`) : error;
  }
  return [...types.values()];
}

/** The SDK's core describes the failure in Rust's debug format (observed in 1.24.0). */
const reasonIn = ({ message }: Error): string => /\bmessage: "((?:[^"\\]|\\.)+)"/.exec(message)?.[1] ?? errorLine(message);

const INVALID_ARGUMENT = 3;

async function* historiesOf(client: Client, runs: readonly Run[]) {
  for (const { workflowId, runId } of runs) {
    yield { workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
  }
}

export function replayReport(types: readonly ReplayedType[]): string[] {
  if (types.length === 0) return ['no run matches --query'];
  return [
    ...types.map(({ type, matching, runs, failures }) => `${type}: ${runs.length} of ${matching} replayed, ${failures.length} failed`),
    ...types.flatMap(({ failures }) => failures.map(({ run, reason }) => `FAILED  ${run.workflowId}, run ${run.runId}: ${reason}`)),
  ];
}
