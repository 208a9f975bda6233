import type { StudioJobRow } from '../../../db/repositories/studio-orders';
import { noSuch, validationError } from '../../../domain/errors';
import { readOrderMessage } from '../../../domain/order-message';
import type { OrderMessage } from '../../../domain/order-status';
import { presentStudioOrder } from '../../../presenters/studio-orders';
import { sealOfSender } from '../../../security/sender-seal';
import type { OrderRef } from '../../../temporal';
import type { Answer } from '../../types';
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
  const { id: orderId, order_number: orderNumber, account_id: accountId, environment } = before;
  await sendSealed(request, { orderId, orderNumber, accountId, environment }, fields);
  return { data: presentStudioOrder(await viewOrder(request)) };
}

/** The message with the caller's token, and the seal that proves it. @throws ApiError as above */
export async function sendSealed({ deps, caller, requestId }: StudioRequest, order: OrderRef, fields: object): Promise<void> {
  const message = readMessage({ ...fields, tokenId: caller.tokenId, requestId, seal: 'to come' });
  const sealed = { ...message, seal: sealOfSender(deps.senderSecret, order.orderId, message) };
  await deps.temporal.orders.applyMilestone(order, sealed, requestId);
}

/** The message in the form that signals get too, so that a repeat by either way is known as one. */
function readMessage(fields: object): OrderMessage {
  const read = readOrderMessage(fields);
  if ('issues' in read) throw validationError(read.issues);
  return read.message;
}
