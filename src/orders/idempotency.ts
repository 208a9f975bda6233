import type { AccountIdempotencyKey } from '../db/repositories/idempotency';
import type { IdempotencyRow } from '../db/rows';
import { ApiError } from '../domain/errors';

/** A request with an Idempotency-Key. */
export interface KeyedRequest extends AccountIdempotencyKey {
  /** A hash of method, path, body and environment: a key never returns the response to another request. */
  fingerprint: string;
}

/** The exact text of a response. `replayed` is true if it was stored by an earlier request. */
export interface KeyedResponse {
  body: string;
  replayed: boolean;
}

/** Returns the stored bytes for the same request. @throws ApiError 409 for another request */
export function replayResponse(record: IdempotencyRow, { fingerprint }: KeyedRequest): KeyedResponse {
  if (record.fingerprint !== fingerprint) throw keyReused();
  return { body: record.response_body, replayed: true };
}

export const keyReused = (): ApiError =>
  new ApiError(
    'IDEMPOTENCY_KEY_REUSED',
    'this Idempotency-Key was used with another method, path, body or environment; send a new key for a new request',
  );
