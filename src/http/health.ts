import type { Middleware } from 'koa';
import { isProcessRunning, type ProcessKind } from '../db/repositories/processes';
import { isMigrated } from '../db/repositories/readiness';
import { MethodNotAllowed } from '../domain/errors';
import type { HttpDeps } from './deps';
import { respond } from './respond';
import type { RequestState } from './types';

export type ReadinessCheck = 'database' | 'migrations' | 'temporal' | 'workers' | 'relay' | 'inspector' | 'storage';

/** The parts that the trade API needs. It prices quotes and places orders without Temporal. */
export const TRADE_READINESS_CHECKS: readonly ReadinessCheck[] = ['database', 'migrations'];
/** The parts that the studio API needs. Milestones go through the order's workflow. */
export const STUDIO_READINESS_CHECKS: readonly ReadinessCheck[] = ['database', 'migrations', 'temporal', 'workers'];

const METHODS = ['GET', 'HEAD'];
const CACHE_MS = 1_000;

interface HealthOptions {
  requiredChecks: readonly ReadinessCheck[];
  hasReadinessDetails: boolean;
}

/**
 * `GET /healthz`: the process runs. `GET /readyz`: 200 while the main endpoints of this listener work, checked at most once a second. Only
 * the studio's listener lists the parts (docs/operations.md, "While it runs").
 */
export function health(deps: HttpDeps, { requiredChecks, hasReadinessDetails }: HealthOptions): Middleware<RequestState> {
  const cachedReadiness = cacheResult(() => checkReadiness(deps));
  return async (ctx, next) => {
    if (ctx.path !== '/healthz' && ctx.path !== '/readyz') return next();
    if (!METHODS.includes(ctx.method)) throw new MethodNotAllowed(ctx.method, METHODS);
    if (ctx.path === '/healthz') return respond(ctx, 200, { data: { status: 'ok' } });
    const checks = await cachedReadiness();
    const isReady = requiredChecks.every((name) => checks[name] === 'ok');
    await respond(ctx, isReady ? 200 : 503, {
      data: { status: isReady ? 'ready' : 'not ready', ...(hasReadinessDetails ? { checks } : {}) },
    });
  };
}

/** Runs `work` at most once a second. */
function cacheResult<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  let checkedAtMs = 0;
  return () => {
    if (result === undefined || performance.now() - checkedAtMs > CACHE_MS) {
      checkedAtMs = performance.now();
      result = work();
    }
    return result;
  };
}

async function checkReadiness(deps: HttpDeps): Promise<Record<ReadinessCheck, string>> {
  const sql = deps.database;
  const isWorking = async (kind: ProcessKind, queue: 'webhooks' | 'artwork'): Promise<boolean> =>
    (await isProcessRunning(sql, kind)) && deps.temporal.isWorkerPolling(queue).catch(() => true); // `temporal` reports this error
  const [database, migrations, temporal, workers, relay, inspector, storage] = await Promise.all([
    check(() => sql.run('SELECT 1').then(() => true), ''),
    check(() => isMigrated(sql), 'migrations are missing; run trade-print migrate'),
    check(() => deps.temporal.probe().then(() => true), ''),
    check(() => deps.temporal.isWorkerPolling('orders'), 'no worker polls for tasks; start the worker process of the current release'),
    check(() => isWorking('relay', 'webhooks'), 'no relay polls for tasks; start the relay process of the current release'),
    check(() => isWorking('inspector', 'artwork'), 'no inspector polls for tasks; start the inspector process of the current release'),
    check(() => deps.storage.hasSpaceFor(0), 'the disk has less free space than STORAGE_RESERVE, so uploads are refused; free disk space'),
  ]);
  return { database, migrations, temporal, workers, relay, inspector, storage };
}

/** A part without an answer in this time counts as unavailable, ms. */
const CHECK_TIMEOUT_MS = 3_000;

async function check(passes: () => Promise<boolean>, failureMessage: string): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('does not answer'), CHECK_TIMEOUT_MS);
  });
  const result = passes().then(
    (passed) => (passed ? 'ok' : failureMessage),
    () => 'not reachable',
  );
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}
