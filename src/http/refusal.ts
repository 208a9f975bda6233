import { ApiError } from '../domain/errors';
import { StoreUnavailable } from '../storage';
import { overloadCause, overloadRefusal } from './overload';
import type { RequestState } from './types';

/** Converts any error to the refusal that the caller gets. Logs unexpected errors, which become INTERNAL_ERROR. */
export function toRefusal(error: unknown, state: Pick<RequestState, 'logger' | 'requestId'>): ApiError {
  const overload = overloadRefusal(error);
  if (overload !== null) {
    const cause = overloadCause(error);
    // Only a failure of the database has more to tell than its cause.
    if (error instanceof StoreUnavailable) state.logger.warn({ code: overload.code, err: error }, error.message);
    else if (cause === null) state.logger.warn({ code: overload.code }, 'Temporal does not answer');
    else state.logger.warn({ code: overload.code, cause, ...(cause === 'queue' ? {} : { err: error }) }, 'overloaded');
    return overload;
  }
  if (error instanceof ApiError && error.code !== 'INTERNAL_ERROR') {
    state.logger.debug({ code: error.code }, 'refused');
    return error;
  }
  state.logger.error({ err: error }, 'internal error');
  return new ApiError(
    'INTERNAL_ERROR',
    `the service failed; repeat the request, an order with the same Idempotency-Key. Request id: ${state.requestId}`,
  );
}
