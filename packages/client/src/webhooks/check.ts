import type { Bytes } from '../body.js';
import { toUnixSeconds, parseTolerance } from './clock.js';
import type { RawBody } from './raw-body.js';
import { bytesFromHex, importKeys, bytesToSign } from './signature.js';

/** Request headers: `request.headers` of Node, `Headers` of fetch, or a plain object. Names are not case-sensitive. */
export type WebhookHeaders = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookCheckOptions {
  /** Maximum difference between the timestamp and now, in seconds, in both directions. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** Current time. Default: the system clock. */
  now?: Date | undefined;
}

export type WebhookRefusal = 'bad_header' | 'timestamp_too_old' | 'timestamp_in_future' | 'wrong_signature';

/** `timestamp` is the time at which this delivery attempt was signed, in Unix seconds. */
export type WebhookVerdict = { ok: true; timestamp: number } | { ok: false; reason: WebhookRefusal };

/** Maximum age of a webhook in seconds (specification "Limits"). */
export const DEFAULT_TOLERANCE_SECONDS = 300;
const SIGNATURE_HEADER = 'service-signature';
const MAX_HEADER_LENGTH = 2048;
const TIMESTAMP_PATTERN = /^(?:0|[1-9][0-9]{0,14})$/;

/**
 * Checks that the service sent a request, that it is unchanged and that it is recent. During a secret rotation, pass both secrets; one
 * match is enough. The timestamp is checked after the signature, so `timestamp_…` is returned only for requests of the service. Invalid
 * headers never throw (specification "Signature verification").
 * @throws TypeError for mistakes of the receiver: no secret, a parsed body instead of the raw one, or an invalid option
 */
export async function checkWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = new Date() }: WebhookCheckOptions = {},
): Promise<WebhookVerdict> {
  const [nowSeconds, tolerance] = [toUnixSeconds(now), parseTolerance(toleranceSeconds)];
  const keys = await importKeys(secrets);
  bytesToSign('', rawBody);
  const header = parseHeader(findSignatureHeader(headers));
  if (header === null) return { ok: false, reason: 'bad_header' };
  const signed = bytesToSign(`${header.timestamp}.`, rawBody);
  if (!(await hasValidSignature(signed, header.macs, keys))) return { ok: false, reason: 'wrong_signature' };
  return checkTimestamp(header.timestamp, nowSeconds, tolerance);
}

function findSignatureHeader(headers: WebhookHeaders | null | undefined): unknown {
  if (headers === null || headers === undefined) return undefined;
  if (typeof headers.get === 'function') return (headers as Headers).get(SIGNATURE_HEADER);
  // Some servers have a list for each header.
  const values = Object.entries(headers).flatMap(([name, value]) => (name.toLowerCase() === SIGNATURE_HEADER ? value : []));
  return values.length === 1 ? values[0] : undefined;
}

/** The header needs one `t` and at least one `v1`. Unknown names are ignored, because later versions may add some. */
function parseHeader(signature: unknown): { timestamp: number; macs: string[] } | null {
  if (typeof signature !== 'string' || signature.length > MAX_HEADER_LENGTH) return null;
  const parts = signature.split(',').map((part) => part.trim());
  const valuesOf = (name: string): string[] =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [timestamp, ...others] = valuesOf('t');
  const macs = valuesOf('v1');
  if (timestamp === undefined || others.length > 0 || !TIMESTAMP_PATTERN.test(timestamp) || macs.length === 0) return null;
  return { timestamp: Number(timestamp), macs };
}

/** Ignores MACs of a wrong length. WebCrypto compares the others in constant time (specification "Signature verification" 5). */
async function hasValidSignature(signed: Bytes, macs: readonly string[], keys: readonly CryptoKey[]): Promise<boolean> {
  const macBytes = macs.map(bytesFromHex).filter((mac) => mac !== null);
  const pairs = keys.flatMap((key) => macBytes.map((mac) => ({ key, mac })));
  const matches = await Promise.all(pairs.map(({ key, mac }) => crypto.subtle.verify('HMAC', key, mac, signed)));
  return matches.includes(true);
}

/** Refuses timestamps that differ by more than the tolerance (specification "Signature verification" 4). */
function checkTimestamp(timestamp: number, nowSeconds: number, toleranceSeconds: number): WebhookVerdict {
  if (nowSeconds - timestamp > toleranceSeconds) return { ok: false, reason: 'timestamp_too_old' };
  if (timestamp - nowSeconds > toleranceSeconds) return { ok: false, reason: 'timestamp_in_future' };
  return { ok: true, timestamp };
}
