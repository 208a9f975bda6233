import type { Middleware } from 'koa';
import { arrivedByHttps, type Range } from '../source-address';
import type { RequestState } from '../types';

const YEAR_SECONDS = 31_536_000;

/** Sets headers of every response. Pages and files replace the policy with their own. */
export function securityHeaders(trustedProxies: Range[]): Middleware<RequestState> {
  return (ctx, next) => {
    ctx.set({ 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" });
    if (arrivedByHttps(ctx.req, trustedProxies)) ctx.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
    return next();
  };
}
