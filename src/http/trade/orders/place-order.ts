import { LIMITS } from '../../../domain/limits';
import { placeOrder } from '../../../orders/place-order';
import { requestFingerprint } from '../../../security/fingerprint';
import { QUOTE_EXAMPLE } from '../../openapi/examples';
import { ORDER } from '../../openapi/resources';
import { metadataField } from '../../schemas/metadata';
import { type BodyOf, bodySchema, singleLineTextField, optional, nullable, textField } from '../../schemas/text';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';
import { idempotencyKeyHeaders, REPLAYED_HEADERS } from './idempotency-key';

export const orderRequest = bodySchema({
  quoteId: singleLineTextField(1, LIMITS.identifierLength).description(
    'the quote to order; it must be from the same environment, and can be ordered once',
  ),
  specialInstructions: optional(nullable(textField(0, LIMITS.specialInstructionsLength))).description(
    'instructions printed on the job sheet',
  ),
  reference: optional(nullable(singleLineTextField(1, LIMITS.referenceLength))).description(
    "your purchase order number; the default is the quote's reference, else that of the account",
  ),
  metadata: optional(metadataField()).description("your own data; the default is the quote's metadata"),
});

export const PLACE_ORDER_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'POST',
    path: '/orders',
    scope: 'orders:write',
    perMinute: 30,
    status: 201,
    ...idempotencyKeyHeaders('a new key for each order, the same key for its retries'),
    body: orderRequest,
    bodyBytes: LIMITS.orderBodyBytes,
    id: 'createOrder',
    summary: 'Create an order',
    description: `Orders a quote on account. For 24 hours the same Idempotency-Key with the same body returns the first response unchanged, even if the order has changed. Send a new key for each order and the same key for its retries.`,
    response: ORDER,
    errorCodes: [
      'IDEMPOTENCY_KEY_REQUIRED',
      'QUOTE_ENVIRONMENT_MISMATCH',
      'CREDIT_LIMIT_EXCEEDED',
      'NOT_FOUND',
      'IDEMPOTENCY_KEY_REUSED',
      'QUOTE_ALREADY_ORDERED',
      'QUOTE_EXPIRED',
    ],
    requestExample: { quoteId: QUOTE_EXAMPLE.quoteId, specialInstructions: 'Please pack flat' },
    links: {
      readIt: { operationId: 'getOrder', parameters: { id: '$response.body#/data/orderId' }, description: 'Retrieves the order.' },
      cancelIt: { operationId: 'cancelOrder', parameters: { id: '$response.body#/data/orderId' }, description: 'Cancels it.' },
    },
    handler: createOrder,
  },
];

/** Places the order in one transaction. A refused request stores nothing. */
async function createOrder(request: TradeRequest<BodyOf<typeof orderRequest>>): Promise<HandlerResponse> {
  const { deps, caller, body, bodyText, headers, requestId } = request;
  const placed = await placeOrder(deps, {
    accountId: caller.accountId,
    environment: caller.environment,
    idempotencyKey: String(headers['idempotency-key']),
    fingerprint: requestFingerprint(caller.environment, 'POST /orders', bodyText),
    quoteId: body.quoteId,
    specialInstructions: body.specialInstructions ?? null,
    reference: body.reference ?? null,
    metadata: body.metadata ?? null,
    requestId,
  });
  if (!placed.replayed) deps.metrics.ordersPlaced.add(1, { environment: caller.environment });
  return { text: placed.body, ...(placed.replayed ? { headers: REPLAYED_HEADERS } : {}) };
}
