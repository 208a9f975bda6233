import type { Middleware } from 'koa';
import { preflightHeaders } from '../../http-server/preflight';
import { REQUEST_ID_HEADER } from '../../http-server/request-id';
import type { RequestState } from '../types';

/** Headers that pages may read, in addition to those that browsers always allow. */
const EXPOSED_HEADERS = [REQUEST_ID_HEADER, 'Retry-After', 'Idempotent-Replayed', 'ETag', 'Allow', 'Deprecation', 'Sunset', 'Link'].join(
  ', ',
);

/**
 * Allows pages of these origins to call the API. Preflights succeed at every path, so they do not reveal which paths exist. Pages can read
 * every other response, errors included. The API uses no cookies, so credentials are not allowed.
 */
export function cors(origins: readonly string[], methods: readonly string[]): Middleware<RequestState> {
  return async (ctx, next) => {
    // Set for every origin, because a cache must not serve the response for one origin to another.
    ctx.vary('Origin');
    const origin = ctx.get('Origin');
    if (!origins.includes(origin)) return next();
    ctx.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED_HEADERS });
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return next();
    ctx.set(preflightHeaders(ctx.req, methods));
    ctx.status = 204;
  };
}
