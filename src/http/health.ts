import type { Middleware } from 'koa';
import { isMigrated } from '../db/repositories/readiness';
import type { Dependencies } from '../dependencies';
import { respond } from './respond';
import type { RequestState } from './types';

/** `GET /healthz`: alive. `GET /readyz`: database and Temporal reachable, migrations applied, a worker at work (studio API). */
export function health(deps: Dependencies): Middleware<RequestState> {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/healthz') return respond(ctx, 200, { data: { status: 'ok' } });
    if (ctx.path !== '/readyz') return next();
    const checks = await readiness(deps);
    const ready = Object.values(checks).every((outcome) => outcome === 'ok');
    respond(ctx, ready ? 200 : 503, { data: { status: ready ? 'ready' : 'not ready', checks } });
  };
}

/** Ready means the whole main job works: read, price, place and follow an order. */
async function readiness(deps: Dependencies): Promise<Record<string, string>> {
  const [database, temporal, worker] = await Promise.all([
    check(() => isMigrated(deps.dataSource.manager), 'migrations are missing; run trade-print migrate'),
    check(() => deps.temporal.ping().then(() => true), ''),
    check(() => deps.temporal.workerIsPolling(), 'no worker asks for work; start the worker process'),
  ]);
  return { database, temporal, worker };
}

async function check(passes: () => Promise<boolean>, whenNot: string): Promise<string> {
  return passes().then((passed) => (passed ? 'ok' : whenNot), () => 'not reachable');
}
