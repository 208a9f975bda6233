/** What one attempt came to, for the workflow that makes it. HTTP failures are outcomes, never activity failures. */
export type AttemptResult =
  | { outcome: 'delivered' | 'held' | 'superseded' }
  | { outcome: 'failed'; alertAtFailures: number | null; answer: string }
  /** Failed, with more to come in `delayMs` from now. */
  | { outcome: 'retry'; delayMs: number; answer: string }
  /** The endpoint has as many attempts in flight as it may. This did not count as one: ask again. */
  | { outcome: 'busy'; delayMs: number };

export interface WebhookActivities {
  /** One signed POST to the endpoint's present URL; logged, and the delivery's row moved, in one transaction. */
  attemptDelivery(input: { deliveryId: string; chain: number; attempt: number }): Promise<AttemptResult>;
  /** Mails the studio and the account that an endpoint is failing, or was disabled. */
  mailTrouble(input: { deliveryId: string; failures: number }): Promise<void>;
  /** A signed `ping` that counts for nothing; answers what came back. */
  pingEndpoint(input: { endpointId: string }): Promise<PingResult>;
}

export interface PingResult {
  ok: boolean;
  status: number | null;
  errorCode: string | null;
  totalMs: number;
  replyExcerpt: string | null;
}
