import { readOrderMessage } from '../src/domain/order-message';
import type { OrderMessage } from '../src/domain/order-status';
import { failure } from './failures';

/**
 * Shape only, before anything is written to history: whether a message is a repeat, or may be applied, only the database knows
 * (ruling 48).
 */
export function requireMessage(payload: unknown): void {
  readable(payload);
}

export function requireCancel(request: { requestId?: unknown } | null | undefined): void {
  if (typeof request?.requestId !== 'string') throw failure('VALIDATION_ERROR', 'a cancel takes { requestId }');
}

export function requireDelivery(delivery: { deliveryId?: unknown; chain?: unknown } | null | undefined): void {
  if (typeof delivery?.deliveryId !== 'string' || typeof delivery.chain !== 'number') throw failure('VALIDATION_ERROR', 'a retry takes { deliveryId, chain, … }');
}

/** The payload in the one shape both ways of sending it share, so that the same message is the same content. */
export function readable(payload: unknown): OrderMessage {
  const read = readOrderMessage(payload);
  if ('problem' in read) throw failure('MILESTONE_REFUSED', read.problem);
  return read.message;
}
