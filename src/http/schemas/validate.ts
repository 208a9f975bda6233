import type Joi from 'joi';
import { validationError, type ApiError, type ValidationIssue } from '../../domain/errors';

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
  const issues: ValidationIssue[] = error.details.map((detail) => ({
    path: detail.path.join('.'),
    message: detail.message.replace(/^"[^"]*" /, ''),
  }));
  return validationError(issues);
}
