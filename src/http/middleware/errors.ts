import type { Middleware, ParameterizedContext } from 'koa';
import { ApiError, MethodNotAllowed } from '../../domain/errors';
import { errorBody } from '../../presenters/envelope';
import { identityOf } from '../caller-identity';
import type { HttpDeps } from '../deps';
import type { FailureAudit } from '../failure-audit';
import { QueueOverloaded } from '../../runtime/keyed-queue';
import { sendBody } from '../compression';
import { overloadRefusal } from '../overload';
import type { RequestState } from '../types';

/** Sends errors (specification "Errors"). Unexpected errors become INTERNAL_ERROR and are logged. */
export function handleErrors({ failureAudit }: Pick<HttpDeps, 'failureAudit'>): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const refusal = toRefusal(error, ctx.state);
      ctx.state.errorCode = refusal.code;
      await recordRefusedWrite(failureAudit, ctx, refusal);
      ctx.status = refusal.status;
      ctx.set('Cache-Control', 'no-store');
      if (refusal.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(refusal.retryAfterSeconds));
      if (refusal.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
      if (refusal instanceof MethodNotAllowed) ctx.set('Allow', refusal.allow.join(', '));
      ctx.type = 'application/json; charset=utf-8';
      await sendBody(ctx, errorBody(refusal));
    }
  };
}

const READ_METHODS = ['GET', 'HEAD'];

/** Counts a refused write of the studio API. Refused roles have their own entry; 5xx are in the log. */
async function recordRefusedWrite(failureAudit: FailureAudit, ctx: ParameterizedContext<RequestState>, refusal: ApiError): Promise<void> {
  const { requestId, route } = ctx.state;
  const identity = identityOf(ctx.req);
  if (identity === undefined || !('tokenId' in identity) || route === undefined || READ_METHODS.includes(ctx.method)) return;
  if (refusal.code === 'FORBIDDEN' || refusal.status >= 500) return;
  const actor = { id: identity.tokenId, name: identity.name };
  await failureAudit.record({
    action: 'write.refused',
    subject: route.replace('studio ', ''),
    actor,
    after: { code: refusal.code },
    requestId,
  });
}

function toRefusal(error: unknown, state: RequestState): ApiError {
  const overload = overloadRefusal(error);
  if (overload !== null) {
    // Full queues are frequent under attack, and the log line of the request has the code.
    if (!(error instanceof QueueOverloaded)) state.logger.warn({ err: error, code: overload.code }, 'overloaded');
    return overload;
  }
  if (error instanceof ApiError && error.code !== 'INTERNAL_ERROR') {
    state.logger.debug({ code: error.code }, 'refused');
    return error;
  }
  state.logger.error({ err: error }, 'internal error');
  return new ApiError(
    'INTERNAL_ERROR',
    `the service failed; repeat the request (POST /orders with the same Idempotency-Key). Request id: ${state.requestId}`,
  );
}
