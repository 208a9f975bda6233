import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { newId } from '../../security/ids';
import { identityOf } from '../caller-identity';
import type { ServerDeps } from '../deps';
import { sourceAddress } from '../source-address';
import type { RequestState } from '../types';
import { REQUEST_ID_HEADER } from '../../http-server/request-id';

const VALID_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Sets `Service-Request-Id` on every response; keeps the request's id if it is valid. Logs one line per request with caller, source
 * address, endpoint and outcome.
 */
export function assignRequestId({ logger, trustedProxies }: Pick<ServerDeps, 'logger' | 'trustedProxies'>): Middleware<RequestState> {
  return async (ctx, next) => {
    const receivedId = ctx.get(REQUEST_ID_HEADER);
    const id = VALID_ID.test(receivedId) ? receivedId : newId('req');
    ctx.state.requestId = id;
    ctx.state.logger = logger.child({ requestId: id });
    ctx.set(REQUEST_ID_HEADER, id);
    const source = sourceAddress(ctx.req, trustedProxies); // unknown once the socket has closed
    const startedAt = performance.now();
    try {
      await next();
    } finally {
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      const { method, status } = ctx;
      const { route = 'unknown', errorCode } = ctx.state;
      const code = errorCode === undefined ? {} : { code: errorCode };
      ctx.state.logger.info({ method, route, status, ms, source, ...callerFields(ctx.req), ...code }, 'request');
    }
  };
}

function callerFields(request: IncomingMessage): Record<string, string> {
  const identity = identityOf(request);
  if (identity === undefined) return {};
  return 'keyId' in identity ? { account: identity.accountId, keyId: identity.keyId } : { tokenId: identity.tokenId };
}
