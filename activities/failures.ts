import { ApplicationFailure } from '@temporalio/common';
import { ApiError } from '../src/domain/errors';

/** Lets a refusal cross into the workflow: the failure's type is the code, never retried. Our own faults are retried. */
export async function refusalsAsFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, details } = error;
    throw ApplicationFailure.create({ type: code, message, nonRetryable: true, details: details ? [details] : [] });
  }
}
