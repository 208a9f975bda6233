import type { Clock } from '../platform/clock';
import type { Database } from '../db/database';
import { deleteMessage, insertMessage } from '../db/repositories/order-messages';
import { notFoundError } from '../domain/errors';
import type { OrderMessage, MessageSender } from '../domain/order-messages';
import { toOrderMessage } from '../domain/order-messages/read';
import { newId } from '../security/ids';
import type { Temporal } from '../temporal';

interface SendingDeps {
  database: Database;
  clock: Clock;
  temporal: Temporal;
}

/**
 * Sends a message to the order's workflow. The workflow gets only the id of a row, so other clients of Temporal can choose neither the
 * sender nor the content. The row lasts while the request waits; that of an interrupted request is deleted later.
 * @returns whether the order changed
 * @throws ApiError NOT_FOUND
 */
export async function sendMessage(
  { database, clock, temporal }: SendingDeps,
  { orderId, message, sender }: { orderId: string; message: OrderMessage; sender: MessageSender },
): Promise<boolean> {
  const id = newId('msg');
  const isStored = await insertMessage(database, { id, orderId, message: toOrderMessage(message), sender }, clock.now());
  if (!isStored) throw notFoundError('order');
  try {
    return await temporal.orders.applyMessage(orderId, id, sender.requestId);
  } finally {
    // Also after a lost answer: without its row, a waiting message is refused before it locks the order, so abandoned messages do not delay
    // new ones after an outage. The caller sends it again.
    await deleteMessage(database, id).catch(() => undefined); // must not replace the result; the sweep deletes it later
  }
}
