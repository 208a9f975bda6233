import { ApiError, validationError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { placeOrder } from '../../orders/place-order';
import { bodyFingerprint } from '../../security/fingerprint';
import type { OrderRequest } from '../schemas/orders';
import type { Answer, TradeRequest } from '../types';

/** @throws ApiError IDEMPOTENCY_KEY_REQUIRED where it is missing or blank, VALIDATION_ERROR over 255 characters (ruling 3). */
export function checkIdempotencyKey(headers: TradeRequest['headers']): void {
  const key = String(headers['idempotency-key'] ?? '').trim();
  if (key === '') {
    throw new ApiError('IDEMPOTENCY_KEY_REQUIRED', 'send an Idempotency-Key header: any string of at most 255 characters, new for each order and the same for its retries');
  }
  if (key.length > LIMITS.idempotencyKeyLength) {
    throw validationError([{ path: 'headers.idempotency-key', message: `must have at most ${LIMITS.idempotencyKeyLength} characters, it has ${key.length}` }]);
  }
}

/** `POST /orders`: one transaction, one answer (rulings 3, 33, 34). Every outcome but 201 leaves nothing. */
export async function createOrder({ deps, caller, body, sentBody, headers, requestId }: TradeRequest<OrderRequest>): Promise<Answer> {
  const placed = await placeOrder(deps, {
    accountId: caller.accountId,
    environment: caller.environment,
    idempotencyKey: String(headers['idempotency-key']).trim(),
    fingerprint: bodyFingerprint(caller.environment, sentBody),
    quoteId: body.quoteId,
    specialInstructions: body.specialInstructions ?? null,
    requestId,
  });
  return { text: placed.body, ...(placed.replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
}
