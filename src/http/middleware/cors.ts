import type { Middleware } from 'koa';
import { REQUEST_ID_HEADER } from '../../http-server/request-id';
import type { RequestState } from '../types';

/** What pages may send and read, as far as browsers would keep it from them. */
const SENT = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', REQUEST_ID_HEADER].join(', ');
const READ = [REQUEST_ID_HEADER, 'Retry-After', 'Idempotent-Replayed', 'ETag', 'Allow', 'Deprecation', 'Sunset', 'Link'].join(', ');
const PREFLIGHT_SECONDS = '600';

/**
 * Lets pages of these origins call the API. A preflight carries no key and is answered at any path, so that it tells nothing of what is
 * there; every other answer, refusals too, can be read by the page (ruling 62). No cookie is involved, so no credentials are allowed.
 */
export function cors(origins: readonly string[], methods: readonly string[]): Middleware<RequestState> {
  return async (ctx, next) => {
    // For other origins as well: what a cache keeps for them must not be given to these.
    ctx.vary('Origin');
    const origin = ctx.get('Origin');
    if (!origins.includes(origin)) return next();
    ctx.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': READ });
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return next();
    ctx.set({
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': SENT,
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      'Cache-Control': 'no-store',
    });
    ctx.status = 204;
  };
}
