import type { Bytes } from '../body.js';
import type { RawBody } from './raw-body.js';

/** The encoder is created here, because jsdom has none, and its tests load this module without using webhooks. */
const encode = (text: string) => new TextEncoder().encode(text);

/** Imports the complete `lpw_…` secret as an HMAC-SHA256 key. @throws TypeError for an empty secret */
async function importKey(secret: string): Promise<CryptoKey> {
  if (typeof secret !== 'string' || secret === '')
    throw new TypeError("secret must be the endpoint's complete secret; it begins with lpw_");
  return crypto.subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/** Imports one key per secret; there are two during a rotation. @throws TypeError for none */
export async function importKeys(secrets: string | readonly string[]): Promise<CryptoKey[]> {
  const keys = await Promise.all([secrets].flat().map(importKey));
  if (keys.length === 0) throw new TypeError("secret must be the endpoint's complete secret; it begins with lpw_");
  return keys;
}

/** Joins a prefix such as `<timestamp>.` and the raw body. @throws TypeError for a parsed body */
export function bytesToSign(prefix: string, rawBody: RawBody): Bytes {
  const [head, body] = [encode(prefix), toBytes(rawBody)];
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

export function toBytes(rawBody: RawBody): Uint8Array {
  if (typeof rawBody === 'string') return encode(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  if (ArrayBuffer.isView(rawBody)) return rawBody;
  throw new TypeError('rawBody must be the unparsed request body: a string or bytes');
}

/** Decodes 64 hexadecimal characters to 32 bytes. Returns null for anything else. */
export function bytesFromHex(hex: string): Bytes | null {
  if (!/^[0-9a-f]{64}$/.test(hex)) return null;
  return Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16));
}

export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function toBase64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
