import type Joi from 'joi';
import { validationError, type ValidationIssue } from '../../domain/errors';
import { findNearestWord } from '../../domain/nearest-ids';

/**
 * The trade API ignores unknown fields, which newer clients may send. The studio API refuses them, because a misspelled field could change
 * nothing or too much (specification "Resources and their fields", ruling 44).
 */
export type UnknownFieldPolicy = 'ignored' | 'refused';

/** Validates a body without conversion and reports all issues at once. If an object is missing, its required fields are reported too. */
export function bodyIssues(schema: Joi.Schema, body: unknown, unknownFields: UnknownFieldPolicy = 'ignored'): ValidationIssue[] {
  const { error } = schema.validate(body, { abortEarly: false, convert: false, allowUnknown: unknownFields === 'ignored' });
  return (error?.details ?? []).flatMap(
    (detail) => nestedIssues(detail) ?? [issueOf(schema, detail), ...nestedMissingIssues(schema, detail)],
  );
}

/** @throws ApiError VALIDATION_ERROR */
export function validateBody<T>(schema: Joi.Schema, body: unknown, unknownFields: UnknownFieldPolicy = 'ignored'): T {
  const issues = bodyIssues(schema, body, unknownFields);
  if (issues.length > 0) throw validationError(issues);
  return body as T;
}

/** True if `{}` is valid: an absent body then means the same. */
export function acceptsEmptyBody(schema: Joi.Schema): boolean {
  return schema.validate({}).error === undefined;
}

/** @throws ApiError VALIDATION_ERROR for unknown query parameters */
export function assertKnownQuery(query: URLSearchParams, known: readonly string[]): void {
  const issues = [...new Set(query.keys())]
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: `query.${name}`, message: unknownFieldMessage(name, known) }));
  if (issues.length > 0) throw validationError(issues);
}

/** The issues of a nested validation, which joi reports as one error. */
function nestedIssues({ path, context }: Joi.ValidationErrorItem): ValidationIssue[] | undefined {
  const at = path.join('.');
  return (context?.['within'] as ValidationIssue[] | undefined)?.map((issue) => ({ ...issue, path: `${at}.${issue.path}` }));
}

function issueOf(schema: Joi.Schema, { type, path, message }: Joi.ValidationErrorItem): ValidationIssue {
  const isUnknown = type === 'object.unknown';
  return {
    path: path.join('.'),
    message: isUnknown ? unknownFieldMessage(String(path.at(-1)), fieldsOf(schema)) : message.replace(/^"[^"]*" /, ''),
  };
}

/** The required fields within a missing object. */
function nestedMissingIssues(schema: Joi.Schema, { type, path }: Joi.ValidationErrorItem): ValidationIssue[] {
  if (type !== 'any.required' || path.length !== 1) return [];
  const { error } = (schema as Joi.ObjectSchema).extract(String(path[0])).validate({}, { abortEarly: false });
  return (error?.details ?? [])
    .filter((detail) => detail.type === 'any.required' && detail.path.length > 0)
    .map((detail) => ({ ...issueOf(schema, detail), path: [...path, ...detail.path].join('.') }));
}

function fieldsOf(schema: Joi.Schema): string[] {
  return Object.keys((schema.describe() as { keys?: object }).keys ?? {});
}

function unknownFieldMessage(name: string, known: readonly string[]): string {
  const nearest = findNearestWord(name, known);
  if (nearest !== null) return `is unknown; did you mean ${nearest}?`;
  return known.length === 0 ? 'is unknown; the request takes no fields here' : `is unknown; the known names are ${known.join(', ')}`;
}
