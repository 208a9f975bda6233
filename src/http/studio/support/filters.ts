import type Joi from 'joi';
import type { Page, PageMark } from '../../../db/keyset';
import { validationError, type ValidationIssue } from '../../../domain/errors';
import type { List } from '../../paging';
import type { Answer } from '../../types';
import { answerPage } from './paging';
import type { StudioRequest } from './types';

/** What a request may name, and what it named, as text. */
export type Schemas = Readonly<Record<string, Joi.Schema>>;

export type Filters<S extends Schemas> = { readonly [K in keyof S]?: string };

/** A list as it is filtered and sorted: its pages, and its rows as they are shown. */
export interface FilteredList<R, S extends Schemas, P = unknown> extends Omit<List<R>, 'find' | 'filters' | 'mark'> {
  schemas: S;
  /** Where a page ends by what it was asked for: the sort among it. */
  mark: (row: R, filters: Filters<S>) => PageMark;
  find: (filters: Filters<S>, page: Page) => Promise<R[]>;
  present: (row: R) => P;
}

/** One page of a list that is filtered by what the request names; a cursor keeps that, and refuses other filters (ruling 61). */
export function answerFiltered<R, S extends Schemas>(request: StudioRequest, list: FilteredList<R, S>): Promise<Answer> {
  const { schemas, find, mark, ...rest } = list;
  const named = readFilters(request.query, schemas);
  let used: Filters<S> = {}; // a cursor may be what says them
  return answerPage(request, {
    ...rest,
    filters: Object.keys(named).length === 0 ? null : JSON.stringify(named),
    find: (limit, after, kept) => {
      used = kept === '' ? {} : (JSON.parse(kept) as Filters<S>);
      return find(used, { limit, after });
    },
    mark: (row) => mark(row, used),
  });
}

/** What the request names of these. @throws ApiError VALIDATION_ERROR with all that is wrong with them */
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

/** What stands in a query is text, figures too. */
function problemOf(text: string, schema: Joi.Schema): string | undefined {
  const problem = schema.validate(text).error?.message;
  return problem !== undefined && /^\d{1,9}$/.test(text) ? schema.validate(Number(text)).error?.message : problem;
}
