import { QUERY_TIMEOUT_MESSAGE } from '../data-source';

/** The resource that a statement waited for without success. */
export type DatabaseOverload = 'connection' | 'lock' | 'answer';

const BY_CODE: Readonly<Record<string, DatabaseOverload>> = {
  '55P03': 'lock', // lock_not_available
  '53300': 'connection', // too_many_connections
  '25P03': 'answer', // idle_in_transaction_session_timeout, which occurs after the process was frozen
  '57014': 'answer', // query_canceled: statement_timeout, or pg_cancel_backend
};

/** Messages of errors whose code says nothing: no connection was available, opened or answered in time. */
const BY_MESSAGE: Readonly<Record<string, DatabaseOverload>> = {
  'timeout exceeded when trying to connect': 'connection',
  'Connection terminated due to connection timeout': 'connection',
  [QUERY_TIMEOUT_MESSAGE]: 'answer',
  // messages of PgBouncer, whose code is 08P01
  'no more connections allowed (max_client_conn)': 'connection',
  query_wait_timeout: 'connection',
};

/**
 * Returns the resource that a failed statement did not get in time; null if the statement failed for another reason. Its transaction has
 * stored nothing. A single statement outside of a transaction may still be stored when a frozen server resumes.
 */
export function databaseOverload(error: unknown): DatabaseOverload | null {
  if (!(error instanceof Error)) return null;
  return BY_CODE[String((error as { code?: unknown }).code)] ?? BY_MESSAGE[error.message] ?? null;
}
