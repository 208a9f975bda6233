import { ApplicationFailure } from '@temporalio/common';
import { ApiError, type ErrorCode } from '../src/domain/errors';

/** What a broken unique constraint means to the caller; any other is a fault. */
const CONSTRAINT_CODES: Record<string, ErrorCode> = { orders_one_per_quote: 'QUOTE_ALREADY_ORDERED' };

/**
 * Lets a refusal cross into the workflow: the failure's type is the code, never retried. Data that PostgreSQL will never take
 * (class 22) or that breaks a constraint (class 23) is not retried either, or it would block its order for ever. Our other
 * faults are retried.
 */
export async function refusalsAsFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asFinal(error);
  }
}

function asFinal(error: unknown): unknown {
  if (error instanceof ApiError) {
    const { code, message, details } = error;
    return ApplicationFailure.create({ type: code, message, nonRetryable: true, details: details ? [details] : [] });
  }
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  if (typeof code !== 'string' || !/^2[23]/.test(code)) return error;
  const type = CONSTRAINT_CODES[String(constraint)] ?? 'INTERNAL_ERROR';
  return ApplicationFailure.create({ type, message: `the database refuses the data (${code})`, nonRetryable: true });
}
