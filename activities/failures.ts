import { ApplicationFailure } from '@temporalio/common';
import { toFailure, createFailure } from '../workflows/failures';

/**
 * Turns refusals into failures that the workflow understands. Data that PostgreSQL will never take (class 22), or that breaks a constraint
 * (class 23), is not retried either, or it would block its order for ever. Our other faults are.
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
  return createFailure('INTERNAL_ERROR', `the database refuses the data (${code})`);
}
