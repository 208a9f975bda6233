import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../domain/canonical-json';
import type { Environment } from '../domain/limits';

/**
 * A hash of a request for its idempotency key: environment, method, path and body. Sequence of keys, white space and escapes are ignored
 * (ruling 33). Numbers are compared as text, because parsing could round different numbers to the same one (ruling 43).
 * @param route method and path, such as `PATCH /orders/ord_0f3a`
 * @param body valid JSON
 * @returns 64 hex digits
 */
export function requestFingerprint(environment: Environment, route: string, body: string): string {
  return sha256(`${environment}\n${route}\n${canonicalJson(JSON.parse(numbersAsText(body)))}`);
}

/** A string, or a number outside of strings. The closing quote is optional, so that the search never restarts within a string. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;

/** Numbers become strings that begin with U+0000, which no valid body contains. */
function numbersAsText(json: string): string {
  return json.replace(JSON_TOKEN, (token) => (token.startsWith('"') ? token : `"\\u0000${token}"`));
}

export function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** 64 bits of SHA-256 as PostgreSQL's bigint, for an advisory lock. */
export function advisoryLockId(text: string): string {
  return createHash('sha256').update(text).digest().readBigInt64BE().toString();
}

/** 32 hex digits that prove a cursor is ours. */
export function hmacTag(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
}

/** In constant time. */
export function equalInConstantTime(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
