import type { Lookup } from '../../db/repositories/admission';
import { recordOfCaller } from '../../db/repositories/idempotency';
import type { IdempotencyRow } from '../../db/rows';
import { ApiError, validationError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { placeOrder } from '../../orders/place-order';
import { bodyFingerprint } from '../../security/fingerprint';
import type { OrderRequest } from '../schemas/orders';
import type { Answer, Asked, TradeRequest } from '../types';

/** @throws ApiError IDEMPOTENCY_KEY_REQUIRED where it is missing or blank, VALIDATION_ERROR over 255 characters (ruling 3). */
export function checkIdempotencyKey(headers: TradeRequest['headers']): void {
  const key = keyOf(headers);
  if (key === '') {
    throw new ApiError('IDEMPOTENCY_KEY_REQUIRED', 'send an Idempotency-Key header: any string of at most 255 characters, new for each order and the same for its retries');
  }
  if (key.length > LIMITS.idempotencyKeyLength) {
    throw validationError([{ path: 'headers.idempotency-key', message: `must have at most ${LIMITS.idempotencyKeyLength} characters, it has ${key.length}` }]);
  }
}

/** The record of the key is read with the admission; a key that is no key has none. */
export function recordOfKey({ headers }: Asked): Lookup | null {
  const key = keyOf(headers);
  return key === '' || key.length > LIMITS.idempotencyKeyLength || key.includes('\0') ? null : recordOfCaller(key);
}

const keyOf = (headers: Asked['headers']): string => String(headers['idempotency-key'] ?? '').trim();

/** `POST /orders`: one transaction, one answer (rulings 3, 33, 34). Every outcome but 201 leaves nothing. */
export async function createOrder({ deps, caller, body, sentBody, headers, requestId }: TradeRequest<OrderRequest>): Promise<Answer> {
  const [record = null] = (caller.found ?? []) as IdempotencyRow[];
  const placed = await placeOrder(deps, {
    accountId: caller.accountId,
    environment: caller.environment,
    idempotencyKey: keyOf(headers),
    fingerprint: bodyFingerprint(caller.environment, sentBody),
    quoteId: body.quoteId,
    specialInstructions: body.specialInstructions ?? null,
    requestId,
  }, record);
  return { text: placed.body, ...(placed.replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
}
