import { ApplicationFailure } from '@temporalio/common';
import { toFailure, createFailure } from '../workflows/failures';

/**
 * Converts refusals to failures that the workflow understands. Data that PostgreSQL rejects (class 22), or that violates a constraint
 * (class 23), fails without retries, because a retry would block its order for ever. Our other errors are retried.
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
