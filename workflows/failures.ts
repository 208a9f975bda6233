import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { ApiError, ERROR_STATUS, type ErrorCode, type ErrorDetails } from '../src/domain/errors';

/**
 * Refusals pass through Temporal as failures without retries. The failure's type is the error code, and its only detail is the error's
 * details. Only this module converts between the two.
 */
export function createFailure(code: ErrorCode, message: string, details?: ErrorDetails): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true, details: details ? [details] : [] });
}

/** Converts an ApiError to a failure, and unwraps an activity's failure. Returns other errors unchanged. */
export function toFailure(error: unknown): unknown {
  if (error instanceof ApiError) return createFailure(error.code, error.message, error.details);
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) return error.cause;
  return error;
}

const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = { OVERLOADED: 1, SERVICE_UNAVAILABLE: 5 };

/** Converts a failure back to its ApiError, or null. */
export function refusalFrom(cause: unknown): ApiError | null {
  if (!(cause instanceof ApplicationFailure) || !Object.hasOwn(ERROR_STATUS, cause.type ?? '')) return null;
  const code = cause.type as ErrorCode;
  return new ApiError(code, cause.message, cause.details?.[0] as ErrorDetails | undefined, RETRY_AFTER_SECONDS[code]);
}
