import { INVISIBLE } from '../../../../src/domain/invisible.js';

/** Control characters except tab and line feed, and other line ends. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u2028\u2029]/gu;

/** Fields that stay exact: signed texts, price books, which are edited as text, and ids, which are sent back. */
const EXACT_FIELDS = /^(?:rawBody|book|id|corrects)$|Id$/;

/** Removes characters that change how the text around them is displayed. */
export function stripInvisible(text: string): string {
  return text.replace(CONTROLS, '').replace(INVISIBLE, '');
}

/** Strips every text of an API response. */
export function stripInvisibleFromAnswer<T>(answer: T): T {
  return plainValue(answer) as T;
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return stripInvisible(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, EXACT_FIELDS.test(name) ? part : plainValue(part)]));
}
