/** lock_not_available and too_many_connections. */
const OVERLOAD_CODES = new Set(['55P03', '53300']);

/** The pool's error when no connection became free in time. The pool gives it no code. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

/** Whether a statement failed because a lock or a connection did not become free in time. Nothing of it was stored. */
export function isDatabaseOverloaded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OVERLOAD_CODES.has(String((error as { code?: unknown }).code)) || error.message === POOL_TIMEOUT;
}
