import { createHmac, randomBytes, type Hmac } from 'node:crypto';

interface SignatureInput {
  /** The complete `lpw_…` secrets of the endpoint: one, or two during a rotation. */
  secrets: readonly string[];
  /** Unix time in whole seconds. */
  timestampSeconds: number;
  /** The exact bytes to send; a string means its UTF-8 bytes. */
  rawBody: Buffer | string;
}

/** `lpw_` and 64 hexadecimal characters (specification "Registering an endpoint"). Shown once. */
export function newWebhookSecret(): string {
  return `lpw_${randomBytes(32).toString('hex')}`;
}

/**
 * The value of `Service-Signature`: `t=<unix seconds>,v1=<hex>`, with one `v1` per secret, in their order. Each is the HMAC-SHA256 of
 * `<timestamp>.<rawBody>` (specification "Signature verification" 1 and 2; the key is the complete text of the secret).
 * @throws RangeError without a secret, with an empty one, or if the timestamp is not a whole number of seconds.
 */
export function signWebhook({ secrets, timestampSeconds, rawBody }: SignatureInput): string {
  if (secrets.length === 0 || secrets.includes('')) throw new RangeError('a webhook needs at least one secret');
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0)
    throw new RangeError('the timestamp must be a whole number of seconds');
  const macs = secrets.map((secret) => `v1=${hmac(secret, `${timestampSeconds}.`, rawBody).digest('hex')}`);
  return [`t=${timestampSeconds}`, ...macs].join(',');
}

/**
 * The value of `webhook-signature` of Standard Webhooks: `v1,<base64>` for each secret, in their order, separated by a space. It signs
 * `<id>.<timestamp>.<rawBody>` with the same keys as above.
 */
export function signStandardWebhook(id: string, { secrets, timestampSeconds, rawBody }: SignatureInput): string {
  return secrets.map((secret) => `v1,${hmac(secret, `${id}.${timestampSeconds}.`, rawBody).digest('base64')}`).join(' ');
}

/**
 * Converts a secret for libraries of Standard Webhooks. They decode the base64 text after `whsec_` and sign with the result, the complete
 * `lpw_…` secret.
 */
export function standardSecret(secret: string): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}

function hmac(secret: string, head: string, rawBody: Buffer | string): Hmac {
  return createHmac('sha256', secret).update(head).update(rawBody);
}
