import type { AccountIdempotencyKey } from '../db/repositories/idempotency';
import type { IdempotencyRow } from '../db/rows';
import { ApiError } from '../domain/errors';

/** A request under an Idempotency-Key. */
export interface KeyedRequest extends AccountIdempotencyKey {
  /** Of method, path, body as sent, and environment: a key never replays the response of another request (rulings 33 and 73). */
  fingerprint: string;
}

/** The exact text of the response, fresh or as it was the first time. */
export interface KeyedResponse {
  body: string;
  replayed: boolean;
}

/** The stored bytes for the same request; 409 for another. */
export function replayResponse(record: IdempotencyRow, { fingerprint }: KeyedRequest): KeyedResponse & { orderId: string } {
  if (record.fingerprint !== fingerprint) throw keyReused();
  return { orderId: record.order_id, body: record.response_body, replayed: true };
}

export const keyReused = (): ApiError =>
  new ApiError(
    'IDEMPOTENCY_KEY_REUSED',
    'this Idempotency-Key was used with another method, path, body or environment; send a new key for a new request',
  );
