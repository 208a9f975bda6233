import type { Middleware } from 'koa';
import { ApiError, MethodNotAllowed } from '../../domain/errors';
import { errorBody } from '../../presenters/envelope';
import { overloadRefusal } from '../overload';
import type { RequestState } from '../types';

/** The one place that writes failures (specification "Errors"). Faults of ours become INTERNAL_ERROR and are logged. */
export function errors(): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const refusal = asRefusal(error, ctx.state);
      ctx.status = refusal.status;
      ctx.set('Cache-Control', 'no-store');
      if (refusal.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(refusal.retryAfterSeconds));
      if (refusal.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
      if (refusal instanceof MethodNotAllowed) ctx.set('Allow', refusal.allow.join(', '));
      ctx.type = 'application/json; charset=utf-8';
      ctx.body = errorBody(refusal);
    }
  };
}

function asRefusal(error: unknown, state: RequestState): ApiError {
  const overload = overloadRefusal(error);
  if (overload !== null) {
    state.logger.warn({ err: error, code: overload.code }, 'overloaded');
    return overload;
  }
  if (error instanceof ApiError && error.code !== 'INTERNAL_ERROR') {
    state.logger.debug({ code: error.code }, 'refused');
    return error;
  }
  state.logger.error({ err: error }, 'internal error');
  return new ApiError(
    'INTERNAL_ERROR',
    `the service could not finish the request; it is safe to try again (POST /orders with the same Idempotency-Key). Request id: ${state.requestId}`,
  );
}
