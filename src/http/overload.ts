import { databaseOverload, type DatabaseOverload } from '../db/repositories/overload';
import { ApiError } from '../domain/errors';
import { QueueOverloaded } from '../runtime/keyed-queue';
import { StoreUnavailable } from '../storage';
import { TemporalUnavailable } from '../temporal/breaker';

/** What a request waited for in vain, if it is refused as OVERLOADED; otherwise null. */
export function overloadCause(error: unknown): DatabaseOverload | 'queue' | null {
  if (error instanceof ApiError) {
    if (error.cause !== undefined) return overloadCause(error.cause);
    const cause = error.code === 'OVERLOADED' ? error.details?.['cause'] : null;
    return cause === 'lock' || cause === 'queue' ? cause : null;
  }
  return error instanceof QueueOverloaded ? 'queue' : databaseOverload(error);
}

/** The 503 for a request that failed because of load, or because Temporal or the artwork store does not answer (ruling 76). Null for other errors. */
export function overloadRefusal(error: unknown): ApiError | null {
  if (error instanceof TemporalUnavailable)
    return new ApiError('SERVICE_UNAVAILABLE', 'a part of the service does not answer; repeat the request, which is safe', undefined, 5);
  if (error instanceof StoreUnavailable) return storeUnanswered();
  if (overloadCause(error) === null) return null;
  if (error instanceof ApiError && error.cause !== undefined) return error; // of `afterChange`
  return new ApiError('OVERLOADED', 'the service is overloaded; repeat the request, an order with the same Idempotency-Key', undefined, 1);
}

/** The refusal of a request that needs an answer of the artwork store. */
export const storeUnanswered = (): ApiError =>
  new ApiError('OVERLOADED', 'the artwork store does not answer; repeat the request', undefined, 1);

const UNREAD = 'the change is stored, but cannot be read now; read it later, or repeat the request with the same id';

/**
 * Runs the rest of a request whose change is stored, for example the read of its response. OVERLOADED promises that nothing is, so the
 * console would forget the id of the request and repeat it with another.
 * @param message says what is stored, and what the caller can do
 * @throws ApiError SERVICE_UNAVAILABLE if the rest is overloaded
 */
export async function afterChange<T>(rest: () => Promise<T>, message = UNREAD): Promise<T> {
  try {
    return await rest();
  } catch (error) {
    if (overloadRefusal(error) === null) throw error;
    throw Object.assign(new ApiError('SERVICE_UNAVAILABLE', message, undefined, 5), { cause: error });
  }
}
