import type { Clock } from '../platform/clock';
import type { Database } from '../db/database';
import { findIdempotencyRecord } from '../db/repositories/idempotency';
import { deleteChange, insertChange } from '../db/repositories/order-changes';
import { ApiError } from '../domain/errors';
import type { OrderChange } from '../domain/pricing/order-change';
import { newId } from '../security/ids';
import { keyReused, replayResponse, type KeyedRequest, type KeyedResponse } from './idempotency';

interface ChangeDeps {
  database: Database;
  clock: Clock;
}

/** The stored response to a request with this key, or null. @throws ApiError IDEMPOTENCY_KEY_REUSED */
export async function findResponse({ database, clock }: ChangeDeps, request: KeyedRequest): Promise<KeyedResponse | null> {
  const record = await findIdempotencyRecord(database, request);
  return record !== null && record.expires_at > clock.now() ? replayResponse(record, request) : null;
}

/**
 * Stores a change and sends its id to the order's workflow, which applies it. Workflow histories therefore contain no address. The
 * workflow stores the response with the change, so after a crash a repeated request finds the change or its response (ruling 73).
 * @param sendMessage sends the message `changed` to the order
 * @returns the response to an earlier request with this key, or null if this request has stored the response
 * @throws ApiError IDEMPOTENCY_KEY_REUSED, ORDER_NOT_CHANGEABLE
 */
export async function changeOrder(
  deps: ChangeDeps,
  request: KeyedRequest & { orderId: string; content: OrderChange },
  sendMessage: (changeId: string) => Promise<unknown>,
): Promise<KeyedResponse | null> {
  const { database, clock } = deps;
  const changeId = await insertChange(database, { ...request, id: newId('chg') }, clock.now());
  if (changeId === null) throw keyReused();
  try {
    // A concurrent request may have completed before this change was stored.
    const existing = await findResponse(deps, request);
    if (existing !== null) {
      await deleteChange(database, changeId);
      return existing;
    }
    await sendMessage(changeId);
  } catch (error) {
    // A refusal is final. After a 5xx the workflow may still apply the change, and a repeat needs it.
    if (error instanceof ApiError && error.status < 500) await deleteChange(database, changeId);
    throw error;
  }
  return null;
}
