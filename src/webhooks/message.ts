import { validateHeaderValue } from 'node:http';
import { signStandardWebhook, signWebhook } from '../security/webhook-signature';

interface EventToSend {
  secrets: readonly string[];
  eventId: string;
  eventType: string;
  rawBody: Buffer | string;
  nowMs: number;
}

/** What an attempt sends whatever the connection, and twice where it is repeated: the signature with its timestamp is made once. */
export interface SignedEvent {
  headers: string;
  body: Buffer;
}

/**
 * The headers and body of one attempt, signed for this moment (specification "Delivery request"): in our own form, and in that of Standard
 * Webhooks, whose id is the event's, so that every attempt of it has the same (ruling 63).
 * @throws Error when it cannot be signed, or a header cannot be sent.
 */
export function signEvent({ secrets, eventId, eventType, rawBody, nowMs }: EventToSend): SignedEvent {
  validateHeaderValue('Service-Event-Id', eventId);
  validateHeaderValue('Service-Event-Type', eventType);
  const body = typeof rawBody === 'string' ? Buffer.from(rawBody) : rawBody;
  const signatureInput = { secrets, timestampSeconds: Math.floor(nowMs / 1000), rawBody: body };
  const headers = [
    `Service-Signature: ${signWebhook(signatureInput)}`,
    `Service-Event-Id: ${eventId}`,
    `Service-Event-Type: ${eventType}`,
    `webhook-id: ${eventId}`,
    `webhook-timestamp: ${signatureInput.timestampSeconds}`,
    `webhook-signature: ${signStandardWebhook(eventId, signatureInput)}`,
    `Content-Length: ${body.length}`,
  ];
  return { headers: `${headers.join('\r\n')}\r\n\r\n`, body };
}

/** The whole request in one piece, so that it leaves in as few packets as it can. */
export function requestBytes(requestStart: string, { headers, body }: SignedEvent): Buffer {
  return Buffer.concat([Buffer.from(requestStart + headers, 'latin1'), body]);
}
