import type Joi from 'joi';
import { isRequired, type Field } from './schemas/text';
import { validationError, type ValidationIssue } from '../domain/errors';

export type FilterSchemas = Readonly<Record<string, Joi.Schema>>;

/** The validated query: an enum value of the schema, or text. */
export type Filters<S extends FilterSchemas> = { readonly [K in keyof S]?: S[K] extends Field<infer T extends string> ? T : string };

/** The filters in the query. @throws ApiError VALIDATION_ERROR with every issue */
export function readFilters<S extends FilterSchemas>(query: URLSearchParams, schemas: S): Filters<S> {
  const names = Object.keys(schemas);
  const issues = names.flatMap((name) => filterIssues(name, query.getAll(name), schemas[name]));
  if (issues.length > 0) throw validationError(issues);
  return Object.fromEntries(names.flatMap((name) => query.getAll(name).map((text) => [name, text]))) as Filters<S>;
}

function filterIssues(name: string, [text, second]: string[], schema: Joi.Schema | undefined): ValidationIssue[] {
  if (schema === undefined) return [];
  if (text === undefined) return isRequired(schema) ? [{ path: `query.${name}`, message: 'is required' }] : [];
  const message = second === undefined ? validationMessage(text, schema) : 'must be sent once';
  return message === undefined ? [] : [{ path: `query.${name}`, message }];
}

/** Query values are text. A value that is invalid as text is validated again as a number. */
function validationMessage(text: string, schema: Joi.Schema): string | undefined {
  const problem = schema.validate(text).error?.message;
  return problem !== undefined && /^\d{1,9}$/.test(text) ? schema.validate(Number(text)).error?.message : problem;
}
