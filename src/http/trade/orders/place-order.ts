import Joi from 'joi';
import { ApiError, validationError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import { placeOrder } from '../../../orders/place-order';
import { bodyFingerprint } from '../../../security/fingerprint';
import { QUOTE_EXAMPLE } from '../../openapi/examples';
import * as json from '../../openapi/json';
import { ORDER } from '../../openapi/resources';
import { machineTextField, optionalTextField } from '../../schemas/text';
import type { Answer, EndpointRow, TradeRequest } from '../../types';

/** Body of `POST /orders` (specification "POST /orders"). */
export const orderRequest = Joi.object({
  quoteId: machineTextField(1, LIMITS.identifierLength).required().description('good once, with a key of the environment that priced it'),
  specialInstructions: optionalTextField(LIMITS.specialInstructionsLength).description("for the studio's job sheet; never priced or read"),
});

interface OrderRequest {
  quoteId: string;
  specialInstructions?: string | null;
}

export const PLACE_ORDER_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'POST',
    path: '/orders',
    scope: 'orders:write',
    perMinute: 30,
    status: 201,
    checkHeaders: checkIdempotencyKey,
    body: orderRequest,
    bodyBytes: LIMITS.orderBodyBytes,
    id: 'createOrder',
    summary: 'Turn a quote into an order on account',
    description: `The same Idempotency-Key with the same body replays the first answer byte for byte for 24 hours, whatever became of the order since. Send a new key for each order and the same one for its retries.`,
    headers: {
      'Idempotency-Key': {
        schema: json.string(undefined, { minLength: 1, maxLength: LIMITS.idempotencyKeyLength }),
        description: 'new for each order, the same for its retries',
        example: '5f7c1f0e-0b8a-4f7e-9d36-6f2f7a1f4d11',
        required: true,
      },
    },
    answer: ORDER,
    answerHeaders: { 'Idempotent-Replayed': json.string('`true` where this is the first answer again', { enum: ['true'] }) },
    refuses: [
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
      readIt: { operationId: 'getOrder', parameters: { id: '$response.body#/data/orderId' }, description: 'Reads the order.' },
      cancelIt: { operationId: 'cancelOrder', parameters: { id: '$response.body#/data/orderId' }, description: 'Cancels it.' },
    },
    handler: createOrder,
  },
];

/**
 * The header is taken byte for byte, so that two keys that differ never become one; its length counts code points where it is UTF-8
 * (ruling 43). @throws ApiError IDEMPOTENCY_KEY_REQUIRED where it is missing or blank, VALIDATION_ERROR over 255 characters or sent twice
 */
function checkIdempotencyKey({ 'idempotency-key': key }: TradeRequest['headers']): void {
  if (key === undefined || key === '') {
    throw new ApiError(
      'IDEMPOTENCY_KEY_REQUIRED',
      `send an Idempotency-Key header: any string of at most ${LIMITS.idempotencyKeyLength} characters, new for each order and the same for its retries`,
    );
  }
  if (Array.isArray(key)) throw keyError('must be sent once');
  const length = lengthOf(key);
  if (length > LIMITS.idempotencyKeyLength) throw keyError(`must have at most ${LIMITS.idempotencyKeyLength} characters, it has ${length}`);
}

function keyError(message: string): ApiError {
  return validationError([{ path: 'headers.idempotency-key', message }]);
}

/** In code points; Node has made one character of each byte. */
function lengthOf(header: string): number {
  try {
    return [...new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))].length;
  } catch {
    return header.length;
  }
}

/**
 * `POST /orders`: places the order in one transaction, or replays the answer of before. Every outcome but 201 leaves nothing (ruling 34).
 */
async function createOrder(request: TradeRequest<OrderRequest>): Promise<Answer> {
  const { deps, caller, body, sentText, headers, requestId } = request;
  const placed = await placeOrder(deps, {
    accountId: caller.accountId,
    environment: caller.environment,
    idempotencyKey: String(headers['idempotency-key']),
    fingerprint: bodyFingerprint(caller.environment, sentText),
    quoteId: body.quoteId,
    specialInstructions: body.specialInstructions ?? null,
    requestId,
  });
  return { text: placed.body, ...(placed.replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
}
