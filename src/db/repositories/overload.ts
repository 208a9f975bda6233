import { QUERY_TIMEOUT_MESSAGE } from '../data-source';

/** lock_not_available, too_many_connections, and idle_in_transaction_session_timeout after the process stood still. */
const OVERLOAD_CODES = new Set(['55P03', '53300', '25P03']);

/** The errors without a code: no connection became free, was opened or answered in time. */
const CLIENT_TIMEOUTS = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  QUERY_TIMEOUT_MESSAGE,
];

/**
 * Whether a statement failed because no lock, connection or answer came in time. Its transaction has stored nothing. A statement outside
 * of a transaction may be stored when a frozen server resumes.
 */
export function isDatabaseOverloaded(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OVERLOAD_CODES.has(String((error as { code?: unknown }).code)) || CLIENT_TIMEOUTS.includes(error.message);
}
