import { LIMITS } from './limits';

/**
 * Checks of values that clients send, shared by HTTP schemas and the parser of signals. Each check returns the required form if the value
 * is wrong.
 */

/** Neither PostgreSQL nor UTF-8 can store a lone surrogate or U+0000. */
const UNSTORABLE_CHARACTER = /\u0000|\p{Surrogate}/u;

/**
 * Checks a string of `min` to `max` Unicode code points, taken as sent (ruling 7).
 * @returns the required form, or null if valid
 */
export function textIssue(value: unknown, min: number, max: number): string | null {
  if (typeof value !== 'string') return `must be a string of ${formatLengthRange(min, max)}`;
  if (UNSTORABLE_CHARACTER.test(value)) return 'must not contain U+0000 or lone surrogates';
  // A text never has more code points than UTF-16 units, so most texts need no counting.
  const length = value.length <= max && value.length >= min * 2 ? value.length : [...value].length;
  return length >= min && length <= max ? null : `must have ${formatLengthRange(min, max)}, it has ${length}`;
}

/** C0 and C1 control characters, U+007F and the two line separators of Unicode. */
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
/** Text without control characters, for the contract. */
export const NO_CONTROL_CHARACTERS_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';
const ALL_CONTROL_CHARACTERS = new RegExp(CONTROL_CHARACTER, 'g');

/**
 * Checks one line of text, such as an id or a reference. Control characters are refused.
 * @returns the required form, or null if valid
 */
export function singleLineTextIssue(value: unknown, min: number, max: number): string | null {
  const issue = textIssue(value, min, max);
  if (issue !== null) return issue;
  const [found] = CONTROL_CHARACTER.exec(String(value)) ?? [];
  return found === undefined ? null : `must not contain control characters or line breaks; it contains ${formatCodePoint(found)}`;
}

/** Replaces control characters by U+FFFD, so that a refused message can be recorded. */
export const replaceControlCharacters = (value: string): string => value.replaceAll(ALL_CONTROL_CHARACTERS, '\ufffd');

const formatCodePoint = (character: string): string => `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

function formatLengthRange(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return 'any length';
  return min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`;
}

/** RFC 3339, and offsets without a colon, as PHP, Python and Java write them. Another check verifies the day. */
export const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/** Checks an RFC 3339 time. Its day must exist, in years that PostgreSQL and JavaScript can store. */
export function timeIssue(value: unknown): string | null {
  const day = typeof value === 'string' ? RFC_3339.exec(value)?.[1] : undefined;
  const exists = day !== undefined && isStorable(day) && isDay(day) && isStorable(new Date(String(value)).toISOString());
  return exists ? null : 'must be an RFC 3339 time such as 2026-01-31T09:30:00Z, in the years 1970 to 9998';
}

/** The day of a time is also checked in UTC, where it may be the day before or after. */
const isStorable = (day: string): boolean => day >= '1970-01-01' && day < '9999-01-01';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A calendar day `YYYY-MM-DD`. */
export function isDay(day: string): boolean {
  if (!DAY.test(day)) return false;
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Checks a calendar day, which must exist and be in years that every store can hold. The caller knows its time zone. */
export function dayIssue(value: unknown): string | null {
  const exists = typeof value === 'string' && DAY.test(value) && timeIssue(`${value}T00:00:00Z`) === null;
  return exists ? null : "must be a date of the studio's calendar such as 2026-01-31, in the years 1970 to 9998";
}

const HOST = '[\\p{L}\\p{N}]([\\p{L}\\p{N}._-]*[\\p{L}\\p{N}])?\\.?|\\[[0-9a-f:.]+\\]';
/** The start of a web URL, for the contract. The full rule needs Unicode classes that some contract tools lack. */
export const WEB_URL_PREFIX_PATTERN = '^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+';
const WEB_URL = new RegExp(`^https?://(${HOST})(:(\\d{1,5}))?([/?#][^\\s\\p{Cc}<>"]*)?$`, 'iu');

/**
 * Checks a web URL, which clients show as a link. It needs http or https and a host. User names, and characters that would end the link
 * early, are refused.
 */
export function webUrlIssue(value: unknown): string | null {
  const issue = textIssue(value, 1, LIMITS.urlLength);
  if (issue !== null) return issue;
  const [, , , , port]: (string | undefined)[] = WEB_URL.exec(String(value)) ?? ['', '', '', '', 'none'];
  return Number(port ?? 0) <= 65_535 ? null : 'must be an http or https URL such as https://track.example/AP-1';
}

/** Checks a whole number from `min` to `max`, as a JSON number. */
export function integerIssue(value: unknown, min: number, max: number): string | null {
  const fits = Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
  return fits ? null : `must be a whole number from ${min} to ${max}`;
}
