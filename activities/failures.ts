import { ApplicationFailure } from '@temporalio/common';
import { toFailure, createFailure } from '../workflows/failures';

/**
 * Converts refusals to Temporal failures with the refusal's code. An error for invalid data (PostgreSQL class 22) or a violated constraint
 * (class 23) is not retried, because endless retries would block the order. Other errors are retried.
 */
export async function withTranslatedFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFinalFailure(error);
  }
}

function toFinalFailure(error: unknown): unknown {
  const failed = toFailure(error);
  const { code } = (error ?? {}) as { code?: unknown };
  if (failed instanceof ApplicationFailure || typeof code !== 'string' || !/^2[23]/.test(code)) return failed;
  return createFailure('INTERNAL_ERROR', `the database rejected the data (${code})`);
}
