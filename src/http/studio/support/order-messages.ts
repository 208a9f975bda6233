import { accountOfOrder } from '../../../db/repositories/orders';
import { noSuch } from '../../../domain/errors';
import { type JudgedMessage, orderMessage } from '../../../domain/order-message';
import { presentStudioOrder } from '../../../presenters/studio-orders';
import { sealed } from '../../../security/sender-seal';
import { found, pathId } from '../../path-id';
import type { Answer } from '../../types';
import { viewOrder } from './order-view';
import type { StudioRequest } from './types';

/**
 * Sends a message to the order of the path: its workflow judges it and stores it once, with its row in the audit log. Answers the order as
 * it is then.
 * @param isKnown whether the order has the milestone, parcel, payment or credit note that the path names; if not, NOT_FOUND
 * @throws ApiError MILESTONE_REFUSED, MILESTONE_ID_REUSED, CORRECTION_REFUSED, CREDIT_INSUFFICIENT (studio API "Refusals")
 */
export async function sendOrderMessage(
  request: StudioRequest,
  message: JudgedMessage,
  isKnown?: (orderId: string) => Promise<boolean>,
): Promise<Answer> {
  const orderId = pathId(request, 'ord');
  found(request, 'ord', await accountOfOrder(request.deps.database, orderId));
  if (isKnown !== undefined && !(await isKnown(orderId))) throw noSuch('milestone, parcel, payment or credit note on this order');
  await sendSealed(request, orderId, message);
  return { data: presentStudioOrder(await viewOrder(request)) };
}

/** The message with the caller's token, and the seal that proves it. @throws ApiError as above */
export async function sendSealed({ deps, caller, requestId }: StudioRequest, orderId: string, message: JudgedMessage): Promise<void> {
  const sent = orderMessage({ ...message, tokenId: caller.tokenId, requestId });
  await deps.temporal.orders.applyMilestone(orderId, sealed(deps.senderSecret, orderId, sent), requestId);
}
