import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../domain/canonical-json';
import type { Environment } from '../domain/limits';

/**
 * What an idempotency key is bound to: environment, method, path and the body as sent. Order of keys, white space and escapes make no
 * difference (ruling 33). Numbers are compared by their text, because parsing would round them and make two bodies one (ruling 43).
 * @param route method and path, such as `PATCH /orders/ord_0f3a`
 * @param body text of a JSON value that has been read before
 * @returns 64 hex digits
 */
export function requestFingerprint(environment: Environment, route: string, body: string): string {
  return sha256(`${environment}\n${route}\n${canonicalJson(JSON.parse(numbersAsText(body)))}`);
}

/** Every string, or a number outside of one. The end of a string is optional, so that the search never starts again inside of one. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/gs;

/** Numbers become strings that begin with U+0000, which no text of a body of ours may hold. */
function numbersAsText(json: string): string {
  return json.replace(JSON_TOKEN, (token) => (token.startsWith('"') ? token : `"\\u0000${token}"`));
}

export function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** 64 bits of SHA-256 over `text` as PostgreSQL's bigint, for an advisory lock. */
export function advisoryLockId(text: string): string {
  return createHash('sha256').update(text).digest().readBigInt64BE().toString();
}

/** 32 hex digits over `text`; tells a cursor of ours from any other. */
export function hmacTag(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
}

/** In constant time. */
export function equalInConstantTime(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
