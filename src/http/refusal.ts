import { ApiError } from '../domain/errors';
import { overloadCause, overloadRefusal } from './overload';
import type { RequestState } from './types';

/** Converts any error to the refusal that the caller gets. Logs unexpected errors, which become INTERNAL_ERROR. */
export function toRefusal(error: unknown, state: Pick<RequestState, 'logger' | 'requestId'>): ApiError {
  const overload = overloadRefusal(error);
  if (overload !== null) {
    // Full queues are frequent under attack, and the log line of the request has the code.
    if (overloadCause(error) !== 'queue') state.logger.warn({ err: error, code: overload.code }, 'overloaded');
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
