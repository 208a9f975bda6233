/** lock_not_available, too_many_connections, and idle_in_transaction_session_timeout after the process stood still. */
const OVERLOAD_CODES = new Set(['55P03', '53300', '25P03']);

/** The pool's errors if no connection became free or was opened in time. They have no code. */
const POOL_TIMEOUTS = ['timeout exceeded when trying to connect', 'Connection terminated due to connection timeout'];

/** Whether a statement failed because no lock or connection became free in time. It has stored nothing. */
export function isDatabaseOverloaded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OVERLOAD_CODES.has(String((error as { code?: unknown }).code)) || POOL_TIMEOUTS.includes(error.message);
}
