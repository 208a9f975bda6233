/** lock_not_available, too_many_connections, and idle_in_transaction_session_timeout after the process stood still. */
const OVERLOAD_CODES = new Set(['55P03', '53300', '25P03']);

/** The pool's error if no connection became free in time. It has no code. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

/** Whether a statement failed because no lock or connection became free in time. It has stored nothing. */
export function isDatabaseOverloaded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OVERLOAD_CODES.has(String((error as { code?: unknown }).code)) || error.message === POOL_TIMEOUT;
}
