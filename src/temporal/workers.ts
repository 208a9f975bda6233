import { NativeConnection, type WorkflowBundle } from '@temporalio/worker';
import type { Config } from '../config';
import type { Logger } from '../logger';
import type { Temporal } from './index';
import { connectionOptions } from './connect';

/** What every worker needs. */
export interface WorkerDeps {
  config: Pick<Config, 'temporal' | 'workerMaxCachedWorkflows'>;
  temporal: Pick<Temporal, 'codecs'>;
  logger: Logger;
}

export interface WorkerSettings {
  connection: NativeConnection;
  /** Task queue instead of the one it is for. */
  taskQueue?: string;
  /** The bundled workflow code. */
  workflowBundle: WorkflowBundle | { codePath: string };
  shutdownGraceMs?: number;
}

/** What the workers of both task queues have in common. */
export function commonOptions(deps: WorkerDeps, { connection, workflowBundle, shutdownGraceMs }: WorkerSettings) {
  return {
    connection,
    namespace: deps.config.temporal.namespace,
    workflowBundle,
    dataConverter: { payloadCodecs: deps.temporal.codecs },
    maxCachedWorkflows: deps.config.workerMaxCachedWorkflows,
    shutdownGraceTime: shutdownGraceMs ?? 8000,
    shutdownForceTime: 10_000,
  };
}

/** Waits for Temporal to come up; null when asked to stop meanwhile. */
export async function connectPatiently(deps: WorkerDeps, termination: Promise<void>): Promise<NativeConnection | null> {
  let stopped = false;
  const stop = termination.then(() => {
    stopped = true;
  });
  const options = await connectionOptions(deps.config.temporal);
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- the signal sets it meanwhile
  for (let attempt = 1; !stopped; attempt += 1) {
    try {
      return await NativeConnection.connect(options);
    } catch (error) {
      deps.logger.warn({ err: error, attempt }, 'Temporal cannot be reached yet');
      await Promise.race([stop, new Promise((resolve) => setTimeout(resolve, Math.min(attempt, 5) * 1000))]);
    }
  }
  return null;
}

/** The SDK's own messages, in our log's shape; its routine chatter at debug. */
export function quietTemporalLogger({ logger }: Pick<WorkerDeps, 'logger'>) {
  const write = (level: string, message: string, meta?: object): void => {
    const name = level.toLowerCase();
    const method = name === 'warn' || name === 'error' ? name : 'debug';
    if (!logger.isLevelEnabled(method)) return;
    const { error, ...rest } = (meta ?? {}) as { error?: unknown };
    logger[method](error === undefined ? rest : { ...rest, err: error }, message); // `err` is what the log knows how to write
  };
  return {
    log: write,
    trace: (message: string, meta?: object) => write('trace', message, meta),
    debug: (message: string, meta?: object) => write('debug', message, meta),
    info: (message: string, meta?: object) => write('info', message, meta),
    warn: (message: string, meta?: object) => write('warn', message, meta),
    error: (message: string, meta?: object) => write('error', message, meta),
  };
}
