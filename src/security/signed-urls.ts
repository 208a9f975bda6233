/**
 * Signatures of the embedded artwork store's URLs: HMAC-SHA256 over method, key, declared size and expiry.
 * Content-Type is deliberately outside the signature. Source: specification "POST /uploads".
 * Pure: callers pass the secret and the current time.
 */
import { createHmac } from 'node:crypto';
import { targetLifetimeSeconds } from '../domain/artwork-rules';
import { equalInConstantTime } from './fingerprint';

/** A signature permits one method on one key until a time; a PUT also has an exact size. */
export type UrlGrant =
  { method: 'PUT'; key: string; sizeBytes: number; expiresAtSeconds: number } | { method: 'GET'; key: string; expiresAtSeconds: number };

type GrantVerdict = { verdict: 'valid'; grant: UrlGrant } | { verdict: 'expired' } | { verdict: 'invalid' };

export const READ_URL_SECONDS = 15 * 60;

/** The longest lifetime of a URL. The service refuses a longer one even if its signature is valid. */
const maxLifetimeSeconds = (grant: UrlGrant): number =>
  grant.method === 'PUT' ? targetLifetimeSeconds(grant.sizeBytes) : READ_URL_SECONDS;

/** Tolerates a clock that was set back after the URL was issued. */
const CLOCK_LEEWAY_SECONDS = 60;

const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,14})$/;
const HEX_MAC = /^[0-9a-f]{64}$/;

/** The signed text. Keys contain no line breaks, so each grant has a different text. */
function signedText(grant: UrlGrant): string {
  const size = grant.method === 'PUT' ? String(grant.sizeBytes) : '-';
  return ['artwork-url-v1', grant.method, grant.key, size, String(grant.expiresAtSeconds)].join('\n');
}

/** 64 lower-case hex digits. */
export function signGrant(grant: UrlGrant, secret: string): string {
  return createHmac('sha256', secret).update(signedText(grant)).digest('hex');
}

/** `baseUrl`/`key` without a signature: the opaque artwork `url` for clients. */
export function unsignedUrl(baseUrl: string, key: string): string {
  return `${baseUrl.replace(/(?<!\/)\/+$/, '')}/${key}`;
}

/** The signed URL: `?expires&size&signature` (no `size` for GET); `expires` in whole Unix seconds. */
export function signedUrl(baseUrl: string, grant: UrlGrant, secret: string): string {
  const query = new URLSearchParams({ expires: String(grant.expiresAtSeconds) });
  if (grant.method === 'PUT') query.set('size', String(grant.sizeBytes));
  query.set('signature', signGrant(grant, secret));
  return `${unsignedUrl(baseUrl, grant.key)}?${query.toString()}`;
}

/**
 * Checks the query of a request. A missing, repeated or non-canonical parameter is `invalid`, as is an expiry beyond the longest lifetime.
 * `expired` requires a valid signature, so the result reveals nothing to other callers. `nowMs` is milliseconds since the epoch.
 */
export function verifyGrant(
  request: { method: 'PUT' | 'GET'; key: string; query: URLSearchParams },
  secret: string,
  nowMs: number,
): GrantVerdict {
  const grant = claimedGrant(request);
  const signature = singleValue(request.query, 'signature', HEX_MAC);
  if (!grant || !signature || !equalInConstantTime(signature, signGrant(grant, secret))) return { verdict: 'invalid' };
  if (grant.expiresAtSeconds * 1000 - nowMs > (maxLifetimeSeconds(grant) + CLOCK_LEEWAY_SECONDS) * 1000) return { verdict: 'invalid' };
  return nowMs < grant.expiresAtSeconds * 1000 ? { verdict: 'valid', grant } : { verdict: 'expired' };
}

function claimedGrant(request: { method: 'PUT' | 'GET'; key: string; query: URLSearchParams }): UrlGrant | null {
  const { method, key, query } = request;
  const expires = singleValue(query, 'expires', WHOLE_NUMBER);
  if (expires === null) return null;
  const expiresAtSeconds = Number(expires);
  if (method === 'GET') return { method, key, expiresAtSeconds };
  const size = singleValue(query, 'size', WHOLE_NUMBER);
  return size === null ? null : { method, key, sizeBytes: Number(size), expiresAtSeconds };
}

function singleValue(query: URLSearchParams, name: string, form: RegExp): string | null {
  const [value, ...others] = query.getAll(name);
  return value !== undefined && others.length === 0 && form.test(value) ? value : null;
}
