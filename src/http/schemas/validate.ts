import type Joi from 'joi';
import { validationError, type ApiError, type ValidationIssue } from '../../domain/errors';

/** Of one answer: every field of 200 wrong lines and of the address fits, a body of nothing but faults does not. */
export const MOST_ISSUES = 1200;

/**
 * Checks a body against its schema: unknown fields ignored, nothing converted, every fault at once (rulings 4, 5, 7).
 * @throws ApiError VALIDATION_ERROR
 */
export function validateBody<T>(schema: Joi.Schema, body: unknown): T {
  const { error, value } = schema.validate(body, { abortEarly: false, convert: false, allowUnknown: true });
  if (error !== undefined) throw schemaError(error);
  return value as T;
}

function schemaError(error: Joi.ValidationError): ApiError {
  const issues: ValidationIssue[] = error.details.slice(0, MOST_ISSUES).map((detail) => ({
    path: detail.path.join('.'),
    message: detail.message.replace(/^"[^"]*" /, ''),
  }));
  return validationError(issues);
}
