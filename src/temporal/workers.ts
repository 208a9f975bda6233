import { DefaultLogger, NativeConnection, type WorkerOptions, type WorkerTuner } from '@temporalio/worker';
import type { Config } from '../config/config';
import type { Sql } from '../db/database';
import type { Logger } from '../platform/logger';
import { traceActivities } from './activity-tracing';
import type { Temporal } from './index';
import { connectionOptions } from './connect';
import { deploymentVersion } from './deployment';

export interface WorkerDeps {
  config: Pick<Config, 'temporal' | 'worker'>;
  temporal: Pick<Temporal, 'codecs'>;
  database: Sql;
  logger: Logger;
}

export interface WorkerSettings {
  connection: NativeConnection;
  /** Replaces the default task queue. */
  taskQueue?: string;
  shutdownGraceMs?: number;
}

/** Running activities are cancelled this long after SIGTERM. Two seconds remain to store their results. */
export const SHUTDOWN_GRACE_MS = 8_000;

/**
 * Options that the workers of all task queues share.
 * @param activitySlots overrides the setting
 */
export function commonWorkerOptions(deps: WorkerDeps, { connection, shutdownGraceMs }: WorkerSettings, activitySlots?: number) {
  const {
    temporal: { namespace, buildId },
    worker,
  } = deps.config;
  return {
    connection,
    namespace,
    ...(buildId !== null && versioningOptions(buildId)),
    dataConverter: { payloadCodecs: deps.temporal.codecs },
    interceptors: { activity: [traceActivities(deps.database)] },
    maxCachedWorkflows: worker.maxCachedWorkflows,
    tuner: {
      workflowTaskSlotSupplier: slots(worker.workflowTaskSlots),
      activityTaskSlotSupplier: slots(activitySlots ?? worker.activitySlots),
      localActivityTaskSlotSupplier: slots(worker.localActivitySlots),
      nexusTaskSlotSupplier: slots(1),
    } satisfies WorkerTuner,
    workflowTaskPollerBehavior: pollers(worker.workflowTaskPollers),
    activityTaskPollerBehavior: pollers(worker.activityPollers),
    // An activity learns of its cancellation with its next heartbeat.
    maxHeartbeatThrottleInterval: '2s' as const,
    shutdownGraceTime: shutdownGraceMs ?? SHUTDOWN_GRACE_MS,
    shutdownForceTime: 10_000,
  };
}

/** Running workflows move to the current build with their next task; patches keep them deterministic. */
const versioningOptions = (buildId: string): Pick<WorkerOptions, 'workerDeploymentOptions'> => ({
  workerDeploymentOptions: { version: deploymentVersion(buildId), useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' },
});

const slots = (numSlots: number) => ({ type: 'fixed-size', numSlots }) as const;
const pollers = (maximum: number) => ({ type: 'simple-maximum', maximum }) as const;

/** Connects once Temporal is available. @returns null if the process is stopped meanwhile */
export async function connectWithRetries(deps: WorkerDeps, termination: Promise<void>): Promise<NativeConnection | null> {
  const options = await connectionOptions(deps.config.temporal);
  return retryUntilStopped(deps, termination, 'connecting to Temporal', () => NativeConnection.connect(options));
}

/**
 * Repeats `work` until it succeeds, because Temporal may be unavailable. @returns null if the process is stopped meanwhile
 * @throws other errors than those that `isTransient` allows
 */
export async function retryUntilStopped<T>(
  { logger }: Pick<WorkerDeps, 'logger'>,
  termination: Promise<void>,
  description: string,
  work: () => Promise<T>,
  isTransient: (error: unknown) => boolean = () => true,
): Promise<T | null> {
  let isStopped = false;
  const stopSignal = termination.then(() => {
    isStopped = true;
  });
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- set by the signal handler
  for (let attempt = 1; !isStopped; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      logger.warn({ err: error, attempt }, `${description} failed; it will be retried`);
      await Promise.race([stopSignal, new Promise((resolve) => setTimeout(resolve, Math.min(attempt, 5) * 1000))]);
    }
  }
  return null;
}

/** Writes the SDK's messages to our log; routine messages at debug level. */
export function createTemporalLogger({ logger }: Pick<WorkerDeps, 'logger'>): DefaultLogger {
  return new DefaultLogger('TRACE', ({ level, message, meta = {} }) => {
    // The ping worker runs activities only; the SDK warns about each such worker.
    const isRoutine = message.startsWith('No workflows registered');
    const method = (level === 'WARN' && !isRoutine) || level === 'ERROR' ? (level.toLowerCase() as 'warn' | 'error') : 'debug';
    const { error, ...rest } = meta;
    logger[method](error === undefined ? rest : { ...rest, err: error }, message); // the logger serializes `err`
  });
}
