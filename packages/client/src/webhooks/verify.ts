import { checkWebhook, type WebhookCheckOptions, type WebhookHeaders, type WebhookRefusal } from './check.js';
import type { WebhookEvent } from './events.js';
import type { RawBody } from './raw-body.js';
import { toBytes } from './signature.js';

/** `not_an_event`: it is the service's, but no event that this version can read. */
export type WebhookProblem = WebhookRefusal | 'not_an_event';

const MESSAGES: Readonly<Record<WebhookProblem, string>> = {
  bad_header: 'the Service-Signature header is missing, repeated or not readable',
  timestamp_too_old: 'it was signed too long ago: an old request sent again, or this clock is ahead',
  timestamp_in_future: 'it was signed in the future: this clock is behind',
  wrong_signature: 'no signature matches: another secret, or a body that is not the bytes as they arrived',
  not_an_event: 'the body is no event',
};

/** The request is not to be acted on; answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookProblem;

  constructor(reason: WebhookProblem) {
    super(`webhook refused: ${MESSAGES[reason]}`);
    this.reason = reason;
  }
}

/**
 * The event of a request that came from the service, unchanged and just now.
 * @throws WebhookVerificationError for any other; TypeError for mistakes of the receiver, as `check`
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
    // said below
  }
  if (typeof event?.id !== 'string' || typeof event.type !== 'string') throw new WebhookVerificationError('not_an_event');
  return event as WebhookEvent;
}
