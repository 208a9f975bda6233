import { LIMITS } from '../../../domain/limits';
import { findResponse, changeOrder } from '../../../orders/change-order';
import { sendMessage } from '../../../orders/send-message';
import { requestFingerprint } from '../../../security/fingerprint';
import { ADDRESS_EXAMPLE } from '../../openapi/examples';
import { ORDER } from '../../openapi/resources';
import type { OrderChange } from '../../../domain/pricing/order-change';
import { orderChangeSchema, readOrderChange } from '../../order-change';
import { afterChange } from '../../overload';
import { pathId } from '../../path-id';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';
import { idempotencyKeyHeaders, REPLAYED_HEADERS } from './idempotency-key';
import { loadOrder } from './orders';

export const changeRequest = orderChangeSchema();

export const CHANGE_ORDER_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'PATCH',
    path: '/orders/:id',
    scope: 'orders:write',
    queue: 'messages',
    perMinute: 30,
    ...idempotencyKeyHeaders('a new key for each change, the same key for its retries'),
    body: changeRequest,
    bodyBytes: LIMITS.orderBodyBytes,
    id: 'changeOrder',
    summary: 'Update an order',
    description:
      'Changes recipient, address, references or instructions while the status is `received`. By the price book of the order, the new address must have exactly the same price. Fields that you do not send stay unchanged. No event is sent. For 24 hours the same Idempotency-Key with the same body returns the first response.',
    response: ORDER,
    errorCodes: [
      'IDEMPOTENCY_KEY_REQUIRED',
      'SHIPPING_ADDRESS_INCOMPLETE',
      'IDEMPOTENCY_KEY_REUSED',
      'ORDER_NOT_CHANGEABLE',
      'SERVICE_UNAVAILABLE',
    ],
    requestExample: { shippingAddress: { ...ADDRESS_EXAMPLE, line2: 'Flat 7' } },
    handler: patchOrder,
  },
];

/**
 * Stores the change; the order's workflow applies it.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED, NOT_FOUND, VALIDATION_ERROR, SHIPPING_ADDRESS_INCOMPLETE, ORDER_NOT_CHANGEABLE, in this order
 */
async function patchOrder(request: TradeRequest<OrderChange>): Promise<HandlerResponse> {
  const { deps, caller, headers, bodyText, requestId } = request;
  const keyedRequest = {
    accountId: caller.accountId,
    idempotencyKey: String(headers['idempotency-key']),
    fingerprint: requestFingerprint(caller.environment, `PATCH /orders/${pathId(request, 'ord')}`, bodyText),
  };
  const replayedResponse = await findResponse(deps, keyedRequest);
  if (replayedResponse !== null) return { text: replayedResponse.body, headers: REPLAYED_HEADERS };
  const order = await loadOrder(request);
  const content = readOrderChange(request.body, order.lines.length);
  const earlierResponse = await changeOrder(deps, { ...keyedRequest, orderId: order.id, content }, async (changeId) => {
    const sender = { credentialId: caller.keyId, badgeId: null, requestId };
    await sendMessage(deps, { orderId: order.id, message: { type: 'changed', changeId }, sender });
  });
  if (earlierResponse !== null) return { text: earlierResponse.body, headers: REPLAYED_HEADERS };
  const unread = 'the change is stored, but cannot be read now; repeat the request with the same Idempotency-Key';
  const response = await afterChange(() => findResponse(deps, keyedRequest), unread);
  if (response === null) throw new Error(`the response to a change of ${order.id} does not exist`);
  return { text: response.body };
}
