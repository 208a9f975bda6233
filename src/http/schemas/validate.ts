import type Joi from 'joi';
import { validationError, type ApiError, type ValidationIssue } from '../../domain/errors';
import { nearestWord } from '../../domain/nearest-ids';

/**
 * Fields that the schema does not know. The trade API ignores them, so that clients may be ahead of us; the studio API refuses them,
 * because a misspelt one would silently change nothing, or too much (specification "Resources and their fields", ruling 44).
 */
export type Unknown = 'ignored' | 'refused';

/**
 * Checks a body against its schema: converts nothing, and finds every issue at once, so that all can be put right in one go (rulings 4 and
 * 7).
 * @throws ApiError VALIDATION_ERROR
 */
export function validateBody<T>(schema: Joi.Schema, body: unknown, unknown: Unknown = 'ignored'): T {
  const { error, value } = schema.validate(body, { abortEarly: false, convert: false, allowUnknown: unknown === 'ignored' });
  if (error !== undefined) throw schemaError(schema, error);
  return value as T;
}

/** True where `{}` is enough: then sending no body means the same (ruling 44). */
export function takesNothing(schema: Joi.Schema): boolean {
  return schema.validate({}).error === undefined;
}

/** @throws ApiError VALIDATION_ERROR for query parameters that are none of these (ruling 44). */
export function refuseUnknownQuery(query: URLSearchParams, known: readonly string[]): void {
  const issues = [...new Set(query.keys())]
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: `query.${name}`, message: notKnown(name, known) }));
  if (issues.length > 0) throw validationError(issues);
}

function schemaError(schema: Joi.Schema, error: Joi.ValidationError): ApiError {
  const issues: ValidationIssue[] = error.details.map((detail) => ({
    path: detail.path.join('.'),
    message:
      detail.type === 'object.unknown' ? notKnown(String(detail.path.at(-1)), fieldsOf(schema)) : detail.message.replace(/^"[^"]*" /, ''),
  }));
  return validationError(issues);
}

function fieldsOf(schema: Joi.Schema): string[] {
  return Object.keys((schema.describe() as { keys?: object }).keys ?? {});
}

function notKnown(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known);
  if (nearest !== null) return `is not known here; did you mean ${nearest}?`;
  return known.length === 0 ? 'is not known here; nothing is taken' : `is not known here; there are ${known.join(', ')}`;
}
