import type { Middleware } from 'koa';
import { REQUEST_ID_HEADER } from '../../http-server/request-id';
import type { RequestState } from '../types';

/** Headers that pages may send and read, in addition to those that browsers always allow. */
const ALLOWED_HEADERS = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', REQUEST_ID_HEADER].join(', ');
const EXPOSED_HEADERS = [REQUEST_ID_HEADER, 'Retry-After', 'Idempotent-Replayed', 'ETag', 'Allow', 'Deprecation', 'Sunset', 'Link'].join(
  ', ',
);
const PREFLIGHT_SECONDS = '600';

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
    ctx.set({
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      'Cache-Control': 'no-store',
    });
    ctx.status = 204;
  };
}
