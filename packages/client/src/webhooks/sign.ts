import { toUnixSeconds } from './clock.js';
import type { WebhookEvent } from './events.js';
import { randomId } from '../runtime.js';
import { toBase64, toHex, importKeys, bytesToSign } from './signature.js';

/** An event to sign. Omitted fields get defaults. */
export type EventToSign = { type: string; data: unknown } & Partial<Omit<WebhookEvent, 'type' | 'data'>>;

export interface SignedWebhook {
  rawBody: string;
  headers: Record<string, string>;
}

/**
 * Creates the body and headers of a webhook as the service sends it, for tests of your receiver. The `webhook-*` headers follow Standard
 * Webhooks and are signed with the same secret. To test a rotation, pass several secrets, the new one first.
 * @throws TypeError for no secret or an invalid `now`
 */
export async function signWebhook(
  event: EventToSign,
  secrets: string | readonly string[],
  { now = new Date() }: { now?: Date | undefined } = {},
): Promise<SignedWebhook> {
  const timestamp = toUnixSeconds(now);
  const rawBody = JSON.stringify({ ...eventDefaults(now), ...event });
  const { id, type } = JSON.parse(rawBody) as WebhookEvent;
  const keys = await importKeys(secrets);
  const signWithPrefix = (prefix: string): Promise<ArrayBuffer[]> =>
    Promise.all(keys.map((key) => crypto.subtle.sign('HMAC', key, bytesToSign(prefix, rawBody))));
  const [own, standard] = await Promise.all([signWithPrefix(`${timestamp}.`), signWithPrefix(`${id}.${timestamp}.`)]);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Service-Print-API-Webhooks/1',
    'service-signature': [`t=${timestamp}`, ...own.map((mac) => `v1=${toHex(mac)}`)].join(','),
    'service-event-id': id,
    'service-event-type': type,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.map((mac) => `v1,${toBase64(mac)}`).join(' '),
  };
  return { rawBody, headers };
}

function eventDefaults(now: Date): Omit<WebhookEvent, 'type' | 'data'> {
  const id = `evt_${randomId().replaceAll('-', '')}`;
  return { id, createdAt: now.toISOString(), environment: 'test', apiVersion: 'v1', sequence: 1 };
}
