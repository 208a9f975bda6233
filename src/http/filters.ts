import type Joi from 'joi';
import type { Field } from './schemas/text';
import { validationError, type ValidationIssue } from '../domain/errors';

/** The schema of each filter. */
export type Schemas = Readonly<Record<string, Joi.Schema>>;

/** What a query holds, checked: a word of the schema, else text. */
export type Filters<S extends Schemas> = { readonly [K in keyof S]?: S[K] extends Field<infer T extends string> ? T : string };

/** The filters in the query. @throws ApiError VALIDATION_ERROR with every issue */
export function readFilters<S extends Schemas>(query: URLSearchParams, schemas: S): Filters<S> {
  const names = Object.keys(schemas);
  const issues = names.flatMap((name) => issueOf(name, query.getAll(name), schemas[name]));
  if (issues.length > 0) throw validationError(issues);
  return Object.fromEntries(names.flatMap((name) => query.getAll(name).map((text) => [name, text]))) as Filters<S>;
}

function issueOf(name: string, [text, more]: string[], schema: Joi.Schema | undefined): ValidationIssue[] {
  if (text === undefined || schema === undefined) return [];
  const message = more === undefined ? problemOf(text, schema) : 'must be given once';
  return message === undefined ? [] : [{ path: `query.${name}`, message }];
}

/** Query values are text, so a number is tried as text first. */
function problemOf(text: string, schema: Joi.Schema): string | undefined {
  const problem = schema.validate(text).error?.message;
  return problem !== undefined && /^\d{1,9}$/.test(text) ? schema.validate(Number(text)).error?.message : problem;
}
