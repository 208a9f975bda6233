import { validateHeaderValue } from 'node:http';
import { signWebhook } from '../security/webhook-signature';

export interface EventToSend {
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
 * The headers and body of one attempt, signed for this moment (specification "Delivery request").
 * @throws Error when it cannot be signed, or a header cannot be sent.
 */
export function signEvent({ secrets, eventId, eventType, rawBody, nowMs }: EventToSend): SignedEvent {
  validateHeaderValue('Service-Event-Id', eventId);
  validateHeaderValue('Service-Event-Type', eventType);
  const body = typeof rawBody === 'string' ? Buffer.from(rawBody) : rawBody;
  const signature = signWebhook({ secrets, timestampSeconds: Math.floor(nowMs / 1000), rawBody: body });
  const headers = `Service-Signature: ${signature}\r\nService-Event-Id: ${eventId}\r\nService-Event-Type: ${eventType}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return { headers, body };
}

/** The whole request in one piece, so that it leaves in as few packets as it can. */
export function requestBytes(requestStart: string, { headers, body }: SignedEvent): Buffer {
  return Buffer.concat([Buffer.from(requestStart + headers, 'latin1'), body]);
}
