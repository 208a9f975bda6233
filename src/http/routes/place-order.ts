import type { Prefetch } from '../../db/repositories/admission';
import { recordOfCaller } from '../../db/repositories/idempotency';
import type { IdempotencyRow } from '../../db/rows';
import { ApiError, validationError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { placeOrder } from '../../orders/place-order';
import { bodyFingerprint } from '../../security/fingerprint';
import type { OrderRequest } from '../schemas/orders';
import type { Answer, RequestHead, TradeRequest } from '../types';

/**
 * The header is taken byte for byte, so that two keys that differ never become one; its length counts code points where it is UTF-8
 * (ruling 43). @throws ApiError IDEMPOTENCY_KEY_REQUIRED where it is missing or blank, VALIDATION_ERROR over 255 characters or sent twice
 */
export function checkIdempotencyKey({ 'idempotency-key': key }: TradeRequest['headers']): void {
  if (key === undefined || key === '') {
    throw new ApiError(
      'IDEMPOTENCY_KEY_REQUIRED',
      `send an Idempotency-Key header: any string of at most ${LIMITS.idempotencyKeyLength} characters, new for each order and the same for its retries`,
    );
  }
  if (Array.isArray(key)) throw keyError('must be sent once');
  const length = lengthOf(key);
  if (length > LIMITS.idempotencyKeyLength) throw keyError(`must have at most ${LIMITS.idempotencyKeyLength} characters, it has ${length}`);
}

function keyError(message: string): ApiError {
  return validationError([{ path: 'headers.idempotency-key', message }]);
}

/** In code points; Node has made one character of each byte. */
function lengthOf(header: string): number {
  try {
    return [...new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))].length;
  } catch {
    return header.length;
  }
}

/** The key's record is read together with the admission; without one usable key there is none to look for. */
export function recordOfKey({ headers }: RequestHead): Prefetch<IdempotencyRow> | null {
  const key = headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? recordOfCaller(key) : null;
}

/**
 * `POST /orders`: places the order in one transaction, or replays the answer of before. Every outcome but 201 leaves nothing (ruling 34).
 */
export async function createOrder(request: TradeRequest<OrderRequest, IdempotencyRow>): Promise<Answer> {
  const { deps, caller, body, sentText, headers, requestId } = request;
  const [record = null] = request.prefetched ?? [];
  const placed = await placeOrder(
    deps,
    {
      accountId: caller.accountId,
      environment: caller.environment,
      idempotencyKey: String(headers['idempotency-key']),
      fingerprint: bodyFingerprint(caller.environment, sentText),
      quoteId: body.quoteId,
      specialInstructions: body.specialInstructions ?? null,
      requestId,
    },
    record,
  );
  return { text: placed.body, ...(placed.replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
}
