import Joi from 'joi';
import { text, textProblem } from './text';

/** A schema whose strings must also pass `problemOf`; null is allowed only where the caller says so. */
function checked(problemOf: (value: unknown) => string | null): Joi.Schema {
  return Joi.any().custom((value: unknown, helpers) => {
    const problem = problemOf(value);
    return problem === null ? value : helpers.message({ custom: problem });
  });
}

const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** An RFC 3339 time of an existing calendar day from 1970 on (ruling 9), as sent. */
export function timestamp(): Joi.Schema {
  return checked((value) => (isTimestamp(value) ? null : 'must be an RFC 3339 time such as 2026-01-31T09:30:00Z'));
}

function isTimestamp(value: unknown): boolean {
  const [, year, month, day] = (typeof value === 'string' ? TIMESTAMP.exec(value) : null) ?? [];
  if (year === undefined || Number(year) < 1971 || Number(year) > 9998) return false;
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return midnight.getUTCMonth() === Number(month) - 1 && midnight.getUTCDate() === Number(day);
}

/** An absolute http or https URL, as sent. */
export function webUrl(max: number): Joi.Schema {
  return checked((value) => textProblem(value, 1, max) ?? (isWebUrl(String(value)) ? null : 'must be an http or https URL'));
}

function isWebUrl(value: string): boolean {
  return URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
}

/** Text of a given form; `form` tells what the pattern asks for. */
export function textLike(pattern: RegExp, form: string): Joi.Schema {
  return checked((value) => (typeof value === 'string' && pattern.test(value) ? null : `must be ${form}`));
}

/** A text that is not one of those that mean something of their own. */
export function textExcept(min: number, max: number, reserved: RegExp, problem: string): Joi.Schema {
  return text(min, max).custom((value: unknown, helpers) => (reserved.test(String(value)) ? helpers.message({ custom: problem }) : value));
}

/** A list of different values. */
export function listOf(each: Joi.Schema, min: number, max: number): Joi.ArraySchema {
  // Without `required` an empty list has what it needs; with it a wrong entry would be told as a missing one too.
  return Joi.array().items(min === 0 ? each : each.required()).min(min).max(max).unique();
}
