import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../domain/canonical-json';
import type { Environment } from '../domain/limits';

/**
 * Identifies a request with an idempotency key by environment, method, path and body. The order of fields, white space and escapes do not
 * matter. Numbers count as text, because parsing could round two numbers to the same value.
 * @param route method and path, such as `PATCH /orders/ord_0f3a`
 * @param body the text of a valid JSON value
 * @returns 64 hex digits
 */
export function requestFingerprint(environment: Environment, route: string, body: string): string {
  return sha256(`${environment}\n${route}\n${canonicalJson(JSON.parse(numbersAsText(body)))}`);
}

/**
 * Matches strings, and numbers outside of strings. An unclosed string matches to the end of the text, so no match starts inside a string.
 */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;

/** Numbers become strings that begin with U+0000, which valid bodies cannot contain. */
function numbersAsText(json: string): string {
  return json.replace(JSON_TOKEN, (token) => (token.startsWith('"') ? token : `"\\u0000${token}"`));
}

export function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** 64 bits of SHA-256 as a PostgreSQL bigint, for an advisory lock. */
export function advisoryLockId(text: string): string {
  return createHash('sha256').update(text).digest().readBigInt64BE().toString();
}

/** Returns 32 hex digits that authenticate a cursor. */
export function hmacTag(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
}

/** Compares in constant time. */
export function equalInConstantTime(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
