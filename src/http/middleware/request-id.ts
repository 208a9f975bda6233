import type { Middleware } from 'koa';
import type { Logger } from '../../logger';
import { newId } from '../../security/ids';
import type { RequestState } from '../types';
import { REQUEST_ID_HEADER } from '../../http-server/answers';

const SANE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Gives every response its `Service-Request-Id`, keeping the caller's own where it is sane, and logs one line per request (ruling 11). */
export function requestId(logger: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    const given = ctx.get(REQUEST_ID_HEADER);
    const id = SANE.test(given) ? given : newId('req');
    ctx.state.requestId = id;
    ctx.state.logger = logger.child({ requestId: id });
    ctx.set(REQUEST_ID_HEADER, id);
    const startedAt = performance.now();
    try {
      await next();
    } finally {
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      ctx.state.logger.info({ method: ctx.method, route: ctx.state.route ?? 'unknown', status: ctx.status, ms }, 'request');
    }
  };
}
