import { toUnixSeconds, parseTolerance } from './clock.js';
import type { RawBody } from './raw-body.js';
import { bytesFromHex, importKeys, bytesToSign } from './signature.js';

/** Headers in any of the forms they come in: `request.headers` of Node, the `Headers` of fetch, a plain record in any case. */
export type WebhookHeaders = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookCheckOptions {
  /** How far the timestamp may lie from now, either way; a number from 0. Default 300. */
  toleranceSeconds?: number;
  /** Instead of the machine's clock. */
  now?: Date;
}

export type WebhookRefusal = 'bad_header' | 'timestamp_too_old' | 'timestamp_in_future' | 'wrong_signature';

/** `timestamp` is in Unix seconds: when this attempt was signed. */
export type WebhookVerdict = { ok: true; timestamp: number } | { ok: false; reason: WebhookRefusal };

/** Source: specification "Limits". */
export const DEFAULT_TOLERANCE_SECONDS = 300;
const SIGNATURE_HEADER = 'service-signature';
const MAX_HEADER_LENGTH = 2048;
const TIMESTAMP_PATTERN = /^(?:0|[1-9][0-9]{0,14})$/;

/**
 * Tells whether a request came from the service, unchanged and just now. While a secret is being changed, pass both: one that matches is
 * enough. The time is judged after the signature, so a refusal for its time is only ever said of a request that is the service's.
 * Whatever the headers hold, the answer is a verdict (specification "Signature verification").
 * @throws TypeError for no secret, a body that is not the raw bytes, or an option that cannot be meant: mistakes of the receiver
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
  const values = Object.entries(headers).filter(([name]) => name.toLowerCase() === SIGNATURE_HEADER);
  return values.length === 1 ? values[0]?.[1] : undefined;
}

/** `t` once and at least one `v1`; names we do not know are for later versions and passed over. */
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

/** A MAC of another length is none; the rest is compared in constant time by the platform (specification "Signature verification" 5). */
async function hasValidSignature(signed: Uint8Array<ArrayBuffer>, macs: readonly string[], keys: readonly CryptoKey[]): Promise<boolean> {
  const macBytes = macs.map(bytesFromHex).filter((mac) => mac !== null);
  const pairs = keys.flatMap((key) => macBytes.map((mac) => ({ key, mac })));
  const matches = await Promise.all(pairs.map(({ key, mac }) => crypto.subtle.verify('HMAC', key, mac, signed)));
  return matches.includes(true);
}

/** More than the tolerance away in either direction is refused; the edge itself is not (specification "Signature verification" 4). */
function checkTimestamp(timestamp: number, nowSeconds: number, toleranceSeconds: number): WebhookVerdict {
  if (nowSeconds - timestamp > toleranceSeconds) return { ok: false, reason: 'timestamp_too_old' };
  if (timestamp - nowSeconds > toleranceSeconds) return { ok: false, reason: 'timestamp_in_future' };
  return { ok: true, timestamp };
}
