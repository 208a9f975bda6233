import type { Middleware } from 'koa';
import { isMigrated } from '../db/repositories/readiness';
import type { Dependencies } from '../dependencies';
import { respond } from './respond';
import type { RequestState } from './types';

/** `GET /healthz`: alive. `GET /readyz`: database and Temporal reachable, migrations applied (studio API). */
export function health(deps: Dependencies): Middleware<RequestState> {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/healthz') return respond(ctx, 200, { data: { status: 'ok' } });
    if (ctx.path !== '/readyz') return next();
    const checks = await readiness(deps);
    const ready = Object.values(checks).every((check) => check === 'ok');
    respond(ctx, ready ? 200 : 503, { data: { status: ready ? 'ready' : 'not ready', checks } });
  };
}

async function readiness(deps: Dependencies): Promise<Record<string, string>> {
  const [database, temporal] = await Promise.all([
    isMigrated(deps.dataSource.manager).then((done) => (done ? 'ok' : 'not reachable or migrations missing'), () => 'not reachable'),
    deps.temporal.ping().then(() => 'ok', () => 'not reachable'),
  ]);
  return { database, temporal };
}
