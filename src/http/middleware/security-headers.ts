import type { Middleware } from 'koa';
import { SECURITY_HEADERS } from '../../http-server/responses';
import { isHttpsRequest, type IpRange } from '../source-address';
import type { RequestState } from '../types';

const YEAR_SECONDS = 31_536_000;

/** Sets the security headers of every response. Responses over https also tell browsers to use only https from then on. */
export function securityHeaders(trustedProxies: IpRange[]): Middleware<RequestState> {
  return (ctx, next) => {
    ctx.set(SECURITY_HEADERS);
    if (isHttpsRequest(ctx.req, trustedProxies)) ctx.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
    return next();
  };
}
