import type { OrderFilter } from '../../db/repositories/orders';
import { validationError, type ValidationIssue } from '../../domain/errors';
import { textIssue, timeIssue } from '../../domain/field-forms';
import { LIMITS } from '../../domain/limits';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/order-status';

const statusIssue = (text: string): string | null =>
  ORDER_STATUSES.includes(text as OrderStatus) ? null : `must be one of ${ORDER_STATUSES.join(', ')}`;
/** In a query a plus sign means a space. */
const queryTimeIssue = (text: string): string | null => {
  const issue = timeIssue(text);
  return issue === null ? null : `${issue}${text.includes(' ') ? '; a plus sign is sent as %2B' : ''}`;
};

/** What is wrong with the value of each filter, or null (specification "GET /orders"). */
const ISSUES: Record<keyof OrderFilter, (text: string) => string | null> = {
  status: statusIssue,
  createdAfter: queryTimeIssue,
  createdBefore: queryTimeIssue,
  externalReference: (text) => textIssue(text, 0, LIMITS.externalReferenceLength),
};
const FILTERS = Object.keys(ISSUES) as (keyof OrderFilter)[];

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
  const message = more === undefined ? ISSUES[name](text) : 'must be given once';
  return message === null ? [] : [{ path: `query.${name}`, message }];
}

const isTime = (name: keyof OrderFilter): boolean => name === 'createdAfter' || name === 'createdBefore';

/** Times of orders have milliseconds: what is after or before a part of one is so of the next whole one. */
function wholeMs(time: string): string {
  const beyondMs = /\.\d{3}(\d+)/.exec(time)?.[1] ?? '';
  return new Date(Date.parse(time) + (/[1-9]/.test(beyondMs) ? 1 : 0)).toISOString();
}
