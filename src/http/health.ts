import type { Middleware } from 'koa';
import type { Sql } from '../db/database';
import { findOverdueInspections } from '../db/repositories/inspections';
import { isProcessRunning, type ProcessKind } from '../db/repositories/processes';
import { MethodNotAllowed } from '../domain/errors';
import { cacheChecks, databaseChecks, type ReadinessCheck } from '../runtime/readiness';
import { RELEASE } from '../platform/version';
import type { ServerDeps } from './deps';
import { respond } from './respond';
import type { RequestState } from './types';

export type ReadinessPart = 'database' | 'migrations' | 'temporal' | 'workers' | 'relay' | 'inspector' | 'inspections' | 'storage';

const METHODS = ['GET', 'HEAD'];
const STORAGE_CACHE_MS = 15_000;

/**
 * `GET /healthz` is 200 while the process runs. `GET /readyz` is 200 while the database takes writes and the process is not stopping: reads,
 * quotes and orders need only the database, so a load balancer keeps sending requests while Temporal is away. Only the studio's listener
 * lists the checks of all parts (docs/operations.md, "While it runs").
 */
export function health(deps: ServerDeps, { hasReadinessDetails }: { hasReadinessDetails: boolean }): Middleware<RequestState> {
  const readChecks: () => Promise<Record<string, string>> = cacheChecks(
    hasReadinessDetails ? serviceChecks(deps) : databaseChecks(deps.database),
  );
  return async (ctx, next) => {
    if (ctx.path !== '/healthz' && ctx.path !== '/readyz') return next();
    ctx.state.route = ctx.state.httpRoute = ctx.path;
    if (!METHODS.includes(ctx.method)) throw new MethodNotAllowed(ctx.method, METHODS);
    // The trade listener is public and hides the version, because attackers could look up its known defects.
    if (ctx.path === '/healthz') return respond(ctx, 200, { data: { status: 'ok', ...(hasReadinessDetails ? RELEASE : {}) } });
    const checks = await readChecks();
    const isReady = !deps.stopSignal.aborted && checks['database'] === 'ok' && checks['migrations'] === 'ok';
    await respond(ctx, isReady ? 200 : 503, {
      data: { status: isReady ? 'ready' : 'not ready', ...(hasReadinessDetails ? { checks } : {}) },
    });
  };
}

/** The checks of all parts of the service. */
export function serviceChecks({
  database,
  temporal,
  storage,
}: Pick<ServerDeps, 'database' | 'temporal' | 'storage'>): Record<ReadinessPart, ReadinessCheck> {
  const isWorking = async (kind: ProcessKind, queue: 'webhooks' | 'artwork'): Promise<boolean> =>
    (await isProcessRunning(database, kind)) && temporal.isWorkerPolling(queue).catch(() => true); // the check `temporal` reports this error
  return {
    ...databaseChecks(database),
    temporal: { passes: () => temporal.probe().then(() => true) },
    workers: {
      passes: () => temporal.isWorkerPolling('orders'),
      failure: 'no worker polls for tasks; start the worker process of the current release',
    },
    relay: {
      passes: () => isWorking('relay', 'webhooks'),
      failure: 'no relay polls for tasks; start the relay process of the current release',
    },
    inspector: {
      passes: () => isWorking('inspector', 'artwork'),
      failure: 'no inspector polls for tasks; start the inspector process of the current release',
    },
    storage: {
      passes: storage.arrivals === 'reported' ? () => Promise.resolve(true) : cacheSuccess(() => storage.list('', 1)),
      failure: 'the artwork store does not answer; check S3_ENDPOINT and the credentials',
    },
    inspections: { passes: async () => (await describeOverdueInspections(database)) ?? true },
  };
}

/** A store charges for each request, so a success counts for a while. */
function cacheSuccess(request: () => Promise<unknown>): () => Promise<boolean> {
  let passedAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - passedAtMs < STORAGE_CACHE_MS) return true;
    return request().then(
      () => {
        passedAtMs = performance.now();
        return true;
      },
      () => false,
    );
  };
}

/** Null if no inspection is overdue. */
async function describeOverdueInspections(sql: Sql): Promise<string | null> {
  const { count, oldest_due_at: since } = await findOverdueInspections(sql);
  if (since === null) return null;
  return `${count === 1 ? '1 inspection is' : `${count} inspections are`} overdue, the oldest since ${since.toISOString()}; read the log of the inspector`;
}
