import { checkWebhook, type WebhookCheckOptions, type WebhookHeaders, type WebhookRefusal } from './check.js';
import type { WebhookEvent } from './events.js';
import type { RawBody } from './raw-body.js';
import { toBytes } from './signature.js';

/** `not_an_event`: the signature is valid, but the body is not an event. */
export type WebhookProblem = WebhookRefusal | 'not_an_event';

const MESSAGES: Readonly<Record<WebhookProblem, string>> = {
  bad_header: 'the Service-Signature header is missing, repeated or malformed',
  timestamp_too_old: 'the timestamp is too old; the request was replayed, or the clock of this machine is fast',
  timestamp_in_future: 'the timestamp is in the future; the clock of this machine is slow',
  wrong_signature: 'no signature matches; the secret is wrong, or the body is not the raw request body',
  not_an_event: 'the body is not an event',
};

/** The webhook is not authentic or not readable. Do not process it; answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookProblem;

  constructor(reason: WebhookProblem) {
    super(`webhook refused: ${MESSAGES[reason]}`);
    this.reason = reason;
  }
}

/**
 * Verifies a webhook and returns its event.
 * @throws WebhookVerificationError if the service did not send it, it was changed or it is too old
 * @throws TypeError in the same cases as `checkWebhook`
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options?: WebhookCheckOptions,
): Promise<WebhookEvent> {
  const verdict = await checkWebhook(rawBody, headers, secrets, options);
  if (!verdict.ok) throw new WebhookVerificationError(verdict.reason);
  return parseEvent(new TextDecoder().decode(toBytes(rawBody)));
}

function parseEvent(text: string): WebhookEvent {
  let event: Partial<WebhookEvent> | null = null;
  try {
    event = JSON.parse(text) as Partial<WebhookEvent> | null;
  } catch {
    // The check below throws.
  }
  if (typeof event?.id !== 'string' || typeof event.type !== 'string') throw new WebhookVerificationError('not_an_event');
  return event as WebhookEvent;
}
