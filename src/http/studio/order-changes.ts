import { ApiError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { NEW_ID } from '../../domain/order-messages/fields';
import { changeOrder, findResponse } from '../../orders/change-order';
import { presentStudioOrder } from '../../presenters/studio-orders';
import { requestFingerprint } from '../../security/fingerprint';
import type { OrderChange } from '../../domain/pricing/order-change';
import { orderChangeSchema, readOrderChange } from '../order-change';
import { messageField } from '../schemas/message-field';
import { afterChange } from '../overload';
import type { HandlerResponse } from '../types';
import { sendStudioMessage } from './support/order-messages';
import { loadOrderView, loadStudioOrder } from './support/order-view';
import { STUDIO_ORDER } from './support/order-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const orderChangeRequest = orderChangeSchema({
  changeId: messageField(NEW_ID).description('an id of the caller; for 24 hours repeating the request with it is safe'),
});

export const ORDER_CHANGES_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/orders/:id/changes',
    role: 'office',
    body: orderChangeRequest,
    bodyBytes: LIMITS.orderBodyBytes,
    id: 'changeOrder',
    summary: 'Change an order before production',
    description:
      'Changes recipient, address, references or instructions while the status is `received`. By the price book of the order, the new address must have exactly the same price. Fields that you do not send stay unchanged. The client gets no event.',
    response: STUDIO_ORDER,
    errorCodes: ['SHIPPING_ADDRESS_INCOMPLETE', 'MILESTONE_ID_REUSED', 'ORDER_NOT_CHANGEABLE', 'SERVICE_UNAVAILABLE'],
    requestExample: { changeId: 'phone-4711', reference: 'PO-4711' },
    handler: postChange,
  },
];

/** Applies the change as the trade API does, under a key that no client can use. */
async function postChange(request: StudioRequest<OrderChange & { changeId: string }>): Promise<HandlerResponse> {
  const { deps, body, bodyText } = request;
  const { id: orderId, account_id: accountId, environment, lines } = await loadStudioOrder(deps.database, request);
  const change = {
    accountId,
    idempotencyKey: `${orderId}\n${body.changeId}`, // a header of a client has no line break
    fingerprint: requestFingerprint(environment, `POST /orders/${orderId}/changes`, bodyText),
    orderId,
    content: readOrderChange(body, lines.length),
  };
  try {
    if ((await findResponse(deps, change)) === null)
      await changeOrder(deps, change, (changeId) => sendStudioMessage(request, orderId, { type: 'changed', changeId }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'IDEMPOTENCY_KEY_REUSED') throw error;
    const message = `the id ${body.changeId} was used for another change of this order; send a new id`;
    throw new ApiError('MILESTONE_ID_REUSED', message);
  }
  return { data: presentStudioOrder(await afterChange(() => loadOrderView(request))) };
}
