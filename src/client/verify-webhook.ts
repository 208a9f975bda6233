/**
 * For those who receive our webhooks. This file stands alone: it needs Node and nothing else, so it can be copied into any
 * project. Source: specification "Signature verification".
 */
// It ships to receivers, so it cannot lean on src/security.
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface WebhookToVerify {
  /** The body exactly as it arrived. Parsing the JSON and writing it again breaks the match. */
  rawBody: Uint8Array | string;
  /** The `Service-Signature` header, as Node gives it. */
  signature: string | readonly string[] | undefined;
  /** The endpoint's secret, the whole `lpw_…` text. */
  secret: string;
  /** How far the timestamp may lie from now, either way, in seconds. Default 300. */
  toleranceSeconds?: number;
  /** The present time in ms since the epoch. Default: the machine's clock. */
  nowMs?: number;
}

export type WebhookRefusal = 'bad_header' | 'timestamp_too_old' | 'timestamp_in_future' | 'wrong_signature';

/** `timestamp` is in Unix seconds: when this attempt was signed. */
export type WebhookVerdict = { ok: true; timestamp: number } | { ok: false; reason: WebhookRefusal };

/** Source: specification "Limits". */
export const DEFAULT_TOLERANCE_SECONDS = 300;
const LONGEST_HEADER = 2048;
const TIMESTAMP = /^(?:0|[1-9][0-9]{0,14})$/;
const HEX_MAC_LENGTH = 64;

/**
 * Tells whether a request came from the order service, unchanged and just now. Answer 2xx only when it is ok. While a secret
 * is being rotated the header carries a `v1` for each; one that matches is enough. The time is judged after the signature,
 * so a refusal for its time is only ever said of a request that is ours.
 * Whatever the header holds, the answer is a verdict.
 * @throws TypeError when the caller passes no secret, or a body that is not the raw bytes.
 */
export function verifyWebhook({
  rawBody,
  signature,
  secret,
  toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
  nowMs = Date.now(),
}: WebhookToVerify): WebhookVerdict {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('secret takes the whole lpw_ text');
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) throw new TypeError('rawBody takes the bytes as they arrived');
  const header = parseHeader(signature);
  if (header === null) return { ok: false, reason: 'bad_header' };
  const expected = createHmac('sha256', secret).update(`${header.timestamp}.`).update(rawBody).digest('hex');
  if (!header.macs.some((mac) => sameText(mac, expected))) return { ok: false, reason: 'wrong_signature' };
  return judgeTime(header.timestamp, Math.floor(nowMs / 1000), toleranceSeconds);
}

/** `t` once and at least one `v1`; names we do not know are for later versions and passed over. */
function parseHeader(signature: unknown): { timestamp: number; macs: string[] } | null {
  if (typeof signature !== 'string' || signature.length > LONGEST_HEADER) return null;
  const parts = signature.split(',').map((part) => part.trim());
  const valuesOf = (name: string) => parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [timestamp, ...others] = valuesOf('t');
  const macs = valuesOf('v1');
  if (timestamp === undefined || others.length > 0 || !TIMESTAMP.test(timestamp) || macs.length === 0) return null;
  return { timestamp: Number(timestamp), macs };
}

/** Constant time; lengths first (specification "Signature verification" 5). */
function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given, 'utf8'), Buffer.from(expected, 'utf8')];
  return a.length === HEX_MAC_LENGTH && b.length === HEX_MAC_LENGTH && timingSafeEqual(a, b);
}

/** More than the tolerance away in either direction is refused; the edge itself is not (specification "Signature verification" 4). */
function judgeTime(timestamp: number, nowSeconds: number, toleranceSeconds: number): WebhookVerdict {
  if (nowSeconds - timestamp > toleranceSeconds) return { ok: false, reason: 'timestamp_too_old' };
  if (timestamp - nowSeconds > toleranceSeconds) return { ok: false, reason: 'timestamp_in_future' };
  return { ok: true, timestamp };
}
