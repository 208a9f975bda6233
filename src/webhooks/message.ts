import { validateHeaderValue } from 'node:http';
import { signStandardWebhook, signWebhook } from '../security/webhook-signature';

export interface EventToSend {
  /** The secrets that sign: one, or two during a rotation. */
  secrets: readonly string[];
  eventId: string;
  eventType: string;
  /** The event's final body (ruling 35). */
  rawBody: Buffer | string;
  /** The current time, in ms since the epoch. */
  nowMs: number;
  /** Sent as a header (https://www.w3.org/TR/trace-context/); null or absent without tracing. */
  traceparent?: string | null;
}

/** The signed headers and body. A repeated POST uses the same signature and timestamp. */
export interface SignedEvent {
  headers: string;
  body: Buffer;
}

/**
 * Returns the headers and body of one attempt, signed now (specification "Delivery request"). Adds our own signature and that of Standard
 * Webhooks. The event's id is the message id of Standard Webhooks, so it is the same in all attempts (ruling 63).
 * @throws Error if a header is invalid or there is no secret
 */
export function signEvent({ secrets, eventId, eventType, rawBody, nowMs, traceparent = null }: EventToSend): SignedEvent {
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
    ...(traceparent === null ? [] : [`traceparent: ${traceparent}`]),
    `Content-Length: ${body.length}`,
  ];
  return { headers: `${headers.join('\r\n')}\r\n\r\n`, body };
}

/** The whole request in one buffer, to send it in few packets. */
export function requestBytes(requestStart: string, { headers, body }: SignedEvent): Buffer {
  return Buffer.concat([Buffer.from(requestStart + headers, 'latin1'), body]);
}
