import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { ApiError, ERROR_STATUS, type ErrorCode, type ErrorDetails } from '../src/domain/errors';

/**
 * The one place that translates refusals, both ways. Through Temporal they travel as failures that are never retried: the type is the error
 * code, the one detail the error's details.
 */
export function createFailure(code: ErrorCode, message: string, details?: ErrorDetails): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true, details: details ? [details] : [] });
}

/** A refusal as the failure it travels as, and what an activity failed with; anything else as it is. */
export function toFailure(error: unknown): unknown {
  if (error instanceof ApiError) return createFailure(error.code, error.message, error.details);
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) return error.cause;
  return error;
}

/** The refusal that a failure stands for, or null. */
export function refusalFrom(cause: unknown): ApiError | null {
  if (!(cause instanceof ApplicationFailure) || !Object.hasOwn(ERROR_STATUS, cause.type ?? '')) return null;
  return new ApiError(cause.type as ErrorCode, cause.message, cause.details?.[0] as ErrorDetails | undefined);
}
