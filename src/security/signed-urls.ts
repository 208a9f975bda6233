/**
 * Signatures of the embedded artwork store's URLs: HMAC-SHA256 over method, key, declared size and expiry.
 * Content-Type is deliberately outside the signature. Source: specification "POST /uploads".
 * Pure: the secret and the present time are passed in.
 */
import { createHmac } from 'node:crypto';
import { targetLifetimeSeconds } from '../domain/artwork-rules';
import { equalInConstantTime } from './fingerprint';

/** What a signature permits: one method on one key, until one moment; a PUT of exactly one size. */
export type UrlGrant =
  { method: 'PUT'; key: string; sizeBytes: number; expiresAtSeconds: number } | { method: 'GET'; key: string; expiresAtSeconds: number };

type GrantVerdict = { verdict: 'valid'; grant: UrlGrant } | { verdict: 'expired' } | { verdict: 'invalid' };

export const READ_URL_SECONDS = 15 * 60;

/** No URL is issued for longer, and none is taken that would last longer: a signature alone does not make it ours. */
const maxLifetimeSeconds = (grant: UrlGrant): number =>
  grant.method === 'PUT' ? targetLifetimeSeconds(grant.sizeBytes) : READ_URL_SECONDS;

/** The clock may have been set back since the URL was issued. */
const CLOCK_LEEWAY_SECONDS = 60;

const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,14})$/;
const HEX_MAC = /^[0-9a-f]{64}$/;

/** The text that is signed. Line breaks cannot occur in a key, so no two grants share a text. */
function signedText(grant: UrlGrant): string {
  const size = grant.method === 'PUT' ? String(grant.sizeBytes) : '-';
  return ['artwork-url-v1', grant.method, grant.key, size, String(grant.expiresAtSeconds)].join('\n');
}

/** 64 lower-case hex digits. */
export function signGrant(grant: UrlGrant, secret: string): string {
  return createHmac('sha256', secret).update(signedText(grant)).digest('hex');
}

/** `baseUrl`/`key`, without a signature: the opaque `url` a client names its artwork by. */
export function unsignedUrl(baseUrl: string, key: string): string {
  return `${baseUrl.replace(/(?<!\/)\/+$/, '')}/${key}`;
}

/** The URL that carries the grant: `?expires&size&signature` (no `size` for GET); `expires` in whole Unix seconds. */
export function signedUrl(baseUrl: string, grant: UrlGrant, secret: string): string {
  const query = new URLSearchParams({ expires: String(grant.expiresAtSeconds) });
  if (grant.method === 'PUT') query.set('size', String(grant.sizeBytes));
  query.set('signature', signGrant(grant, secret));
  return `${unsignedUrl(baseUrl, grant.key)}?${query.toString()}`;
}

/**
 * Judges a request's query. A parameter that is missing, repeated or not canonical is `invalid`, so is an expiry further away than that
 * of any URL we issue. `expired` is only said of a signature that is ours, so the answer tells nothing to anyone else. `nowMs` is
 * milliseconds since the epoch.
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
