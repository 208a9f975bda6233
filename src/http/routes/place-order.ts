import { claimKey, findRecord, releaseKey } from '../../db/repositories/idempotency';
import { findQuoteToOrder } from '../../db/repositories/quotes';
import type { IdempotencyRow } from '../../db/rows';
import { ApiError, validationError } from '../../domain/errors';
import { isIdentifier } from '../../domain/identifiers';
import { LIMITS } from '../../domain/limits';
import { assertOrderable, orderIdOfQuote } from '../../domain/quote-state';
import { bodyFingerprint } from '../../security/fingerprint';
import { newId } from '../../security/ids';
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

/**
 * `POST /orders`: the claim on the key, the quote's own rules, then the order's workflow places it in one transaction
 * (rulings 3, 33, 34). Every outcome but 201 releases the key.
 */
export async function createOrder(request: TradeRequest<OrderRequest>): Promise<Answer> {
  const { deps, caller, body, sentBody, headers } = request;
  const fingerprint = bodyFingerprint(caller.environment, sentBody);
  const claim = { id: newId('idm'), accountId: caller.accountId, key: String(headers['idempotency-key']).trim(), fingerprint, specialInstructions: body.specialInstructions ?? null };
  const { claimed, record } = await claimKey(deps.dataSource.manager, claim, deps.clock.now());
  if (!claimed) return replay(record, fingerprint, deps.clock.now());
  try {
    await submit(request, record.id);
  } catch (error) {
    return afterFailure(request, record.id, error);
  }
  return finished(request, record.id);
}

/** The stored bytes for the same body; 409 for another body or while the first attempt runs. */
function replay(record: IdempotencyRow, fingerprint: string, now: Date): Answer {
  if (record.fingerprint !== fingerprint) {
    throw new ApiError('IDEMPOTENCY_KEY_REUSED', 'this Idempotency-Key was used with another body or environment; send a new key for a new order');
  }
  if (record.state === 'claimed') {
    const wait = Math.max(1, Math.min(5, Math.ceil((record.claimed_until.getTime() - now.getTime()) / 1000)));
    throw new ApiError('IDEMPOTENCY_KEY_REUSED', 'the first request with this Idempotency-Key is still running; send it again shortly', undefined, wait);
  }
  return { text: record.response_body ?? '', headers: { 'Idempotent-Replayed': 'true' } };
}

async function submit(request: TradeRequest<OrderRequest>, idempotencyRecordId: string): Promise<void> {
  const { deps, caller, body, requestId } = request;
  const quote = isIdentifier('quo', body.quoteId) ? await findQuoteToOrder(deps.dataSource.manager, caller.accountId, caller.environment, body.quoteId) : null;
  if (quote === null) throw new ApiError('NOT_FOUND', 'there is no such quote on this account');
  const standing = { quoteId: quote.id, environment: quote.environment, expiresAt: quote.expires_at, consumedAt: quote.consumed_at };
  assertOrderable(standing, caller.environment, deps.clock.now());
  const orderId = orderIdOfQuote(quote.id);
  const { accountId, environment } = caller;
  await deps.temporal.submitOrder({ orderId, orderNumber: quote.order_number, accountId, environment },
    { orderId, quoteId: quote.id, accountId, environment, idempotencyRecordId, requestId });
}

/**
 * Lets the key go. Where that comes too late because the order was placed while the answer got lost, the order is the
 * answer. Where even that cannot be told, the claim runs out by itself.
 */
async function afterFailure(request: TradeRequest<OrderRequest>, recordId: string, error: unknown): Promise<Answer> {
  const released = await releaseKey(request.deps.dataSource.manager, recordId);
  if (!released && !(error instanceof ApiError)) {
    request.logger.warn({ err: error }, 'the order was placed although its answer was lost');
    return finished(request, recordId);
  }
  throw error;
}

async function finished({ deps }: TradeRequest<OrderRequest>, recordId: string): Promise<Answer> {
  const record = await findRecord(deps.dataSource.manager, recordId);
  if (record?.state !== 'finished' || record.response_body === null) throw new Error('the order was placed but its record is not finished');
  return { text: record.response_body };
}
