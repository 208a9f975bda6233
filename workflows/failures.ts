import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { ApiError, type ErrorCode, type ErrorDetails } from '../src/domain/errors';

/** A refusal on its way to the caller: the failure's type is the error code, its one detail the error's details. */
export function failure(code: ErrorCode, message: string, details?: ErrorDetails): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true, details: details ? [details] : [] });
}

/** Domain errors and failed activities as the refusal they mean; anything else as it is. */
export function asFailure(error: unknown): unknown {
  if (error instanceof ApiError) return failure(error.code, error.message, error.details);
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) return error.cause;
  return error;
}
