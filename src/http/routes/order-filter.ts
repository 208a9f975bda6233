import type { OrderFilter } from '../../db/repositories/orders';
import { validationError, type ValidationIssue } from '../../domain/errors';
import { ORDER_FILTERS } from '../schemas/orders';

const FILTERS = Object.keys(ORDER_FILTERS) as (keyof OrderFilter)[];

export const hasOrderFilter = (query: URLSearchParams): boolean => FILTERS.some((name) => query.has(name));

/** The filters that a request names, or null where it names none. @throws ApiError VALIDATION_ERROR with all that is wrong with them */
export function readOrderFilter(query: URLSearchParams): OrderFilter | null {
  const issues = FILTERS.flatMap((name) => issueOf(name, query.getAll(name)));
  if (issues.length > 0) throw validationError(issues);
  if (!hasOrderFilter(query)) return null;
  const named = FILTERS.flatMap((name) => query.getAll(name).map((text) => [name, isTime(name) ? wholeMs(text) : text]));
  return Object.fromEntries(named) as OrderFilter;
}

function issueOf(name: keyof OrderFilter, [text, more]: string[]): ValidationIssue[] {
  if (text === undefined) return [];
  const message = more === undefined ? ORDER_FILTERS[name].validate(text).error?.message : 'must be given once';
  return message === undefined ? [] : [{ path: `query.${name}`, message }];
}

const isTime = (name: keyof OrderFilter): boolean => name === 'createdAfter' || name === 'createdBefore';

/** Times of orders have milliseconds: what is after or before a part of one is so of the next whole one. */
function wholeMs(time: string): string {
  const beyondMs = /\.\d{3}(\d+)/.exec(time)?.[1] ?? '';
  return new Date(Date.parse(time) + (/[1-9]/.test(beyondMs) ? 1 : 0)).toISOString();
}
