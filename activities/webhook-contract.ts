/** The outcome of one attempt. HTTP failures are outcomes, never activity failures. `answer` describes the endpoint's answer. */
export type AttemptResult =
  | { outcome: 'delivered' | 'held' | 'superseded' }
  /** The last attempt failed. `alertAtFailures` is the endpoint's number of consecutive failures if a mail about it is due, else null. */
  | { outcome: 'failed'; alertAtFailures: number | null; answer: string }
  /** The attempt failed, and the next one is due in `delayMs`. */
  | { outcome: 'retry'; delayMs: number; answer: string }
  /** The endpoint has reached its limit of concurrent attempts. Nothing was sent; repeat the attempt in `delayMs`. */
  | { outcome: 'busy'; delayMs: number };

export interface WebhookActivities {
  /** Sends one signed POST to the endpoint's current URL, then logs the attempt and updates the delivery in one transaction. */
  attemptDelivery(input: { deliveryId: string; chain: number; attempt: number }): Promise<AttemptResult>;
  /** Mails the studio and the account that an endpoint is failing, or was disabled. */
  mailEndpointFailure(input: { deliveryId: string; failures: number }): Promise<void>;
  /** Sends a signed `ping` that does not count as a delivery. Returns the response. */
  pingEndpoint(input: { endpointId: string }): Promise<PingResult>;
}

export interface PingResult {
  ok: boolean;
  status: number | null;
  errorCode: string | null;
  totalMs: number;
  replyExcerpt: string | null;
}
