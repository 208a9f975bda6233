import type { StudioJobRow } from '../../db/repositories/studio-orders';
import { validationError, noSuch } from '../../domain/errors';
import { readOrderMessage } from '../../domain/order-message';
import type { OrderMessage } from '../../domain/order-status';
import { presentStudioOrder } from '../../presenters/studio-orders';
import { sealOfSender } from '../../security/sender-seal';
import type { Answer } from '../types';
import { loadStudioOrder, viewOrder } from './order-view';
import type { StudioRequest } from './types';

/**
 * Sends a message to the order of the path: its workflow judges it and stores it once, with its row in the audit log. Answers the order as
 * it is then.
 * @param known whether the milestone, parcel or payment that the path names is the order's; where it is not, NOT_FOUND
 * @throws ApiError MILESTONE_REFUSED, MILESTONE_ID_REUSED, CORRECTION_REFUSED (studio API "Refusals")
 */
export async function sendOrderMessage(
  request: StudioRequest,
  fields: object,
  known?: (order: StudioJobRow) => Promise<boolean>,
): Promise<Answer> {
  const before = await loadStudioOrder(request.deps.database, request);
  if (known !== undefined && !(await known(before))) throw noSuch('milestone, parcel or payment on this order');
  await sendSealed(request, before.id, fields);
  return { data: presentStudioOrder(await viewOrder(request)) };
}

/** The message with the caller's token, and the seal that proves it. @throws ApiError as above */
export async function sendSealed({ deps, caller, requestId }: StudioRequest, orderId: string, fields: object): Promise<void> {
  const message = readMessage({ ...fields, tokenId: caller.tokenId, requestId, seal: 'to come' });
  const sealed = { ...message, seal: sealOfSender(deps.senderSecret, orderId, message) };
  await deps.temporal.orders.applyMilestone(orderId, sealed, requestId);
}

/** The message in the form that signals get too, so that a repeat by either way is known as one. */
function readMessage(fields: object): OrderMessage {
  const read = readOrderMessage(fields);
  if ('issues' in read) throw validationError(read.issues);
  return read.message;
}
