import { dayIssue } from '../../../domain/field-forms';
import { type IdPrefix, isIdentifier } from '../../../domain/identifiers';
import { once, queryError } from '../../cursor';

/** A query parameter that takes one of these words, or null. @throws ApiError VALIDATION_ERROR */
export function readOneOf<T extends string>(query: URLSearchParams, name: string, values: readonly T[]): T | null {
  const given = once(query, name);
  const known = values.find((value) => value === given) ?? null;
  if (given !== null && known === null) throw queryError(name, `must be one of ${values.join(', ')}`);
  return known;
}

/** A query parameter that takes an identifier, or null; `what` names its kind. @throws ApiError VALIDATION_ERROR */
export function idOf(query: URLSearchParams, name: string, prefix: IdPrefix, what: string): string | null {
  const given = once(query, name);
  if (given !== null && !isIdentifier(prefix, given)) throw queryError(name, `must be the id of ${what}, such as ${prefix}_0123abcd`);
  return given;
}

/** Days of the studio's calendar, both included; null where there is no such end. */
export interface Period {
  from: string | null;
  to: string | null;
}

/** The query parameters `from` and `to`. @throws ApiError VALIDATION_ERROR */
export function periodOf(query: URLSearchParams): Period {
  const [from, to] = [dayOf(query, 'from'), dayOf(query, 'to')];
  if (from !== null && to !== null && from > to) throw queryError('from', `must not be after to, which is ${to}`);
  return { from, to };
}

function dayOf(query: URLSearchParams, name: string): string | null {
  const given = once(query, name);
  const problem = given === null ? null : dayIssue(given);
  if (problem !== null) throw queryError(name, problem);
  return given;
}
