import { LIMITS } from '../../../domain/limits';
import { ORDER_EXAMPLE, QUOTE_EXAMPLE } from '../examples';
import { string } from '../json';
import type { OperationContract, Parameter } from '../operation';
import { ORDER } from '../resources';

const orderId: Parameter = { schema: string(), description: 'of the order', example: ORDER_EXAMPLE.orderId };

export const ORDER_OPERATIONS = {
  create: {
    id: 'createOrder',
    tag: 'Orders',
    summary: 'Turn a quote into an order on account',
    description: `The same Idempotency-Key with the same body replays the first answer byte for byte for 24 hours, whatever became of the order since. Send a new key for each order and the same one for its retries.`,
    headers: {
      'Idempotency-Key': {
        schema: string(undefined, { minLength: 1, maxLength: LIMITS.idempotencyKeyLength }),
        description: 'new for each order, the same for its retries',
        example: '5f7c1f0e-0b8a-4f7e-9d36-6f2f7a1f4d11',
        required: true,
      },
    },
    answer: ORDER,
    answerHeaders: { 'Idempotent-Replayed': string('`true` where this is the first answer again', { enum: ['true'] }) },
    refuses: [
      'IDEMPOTENCY_KEY_REQUIRED',
      'QUOTE_ENVIRONMENT_MISMATCH',
      'CREDIT_LIMIT_EXCEEDED',
      'NOT_FOUND',
      'IDEMPOTENCY_KEY_REUSED',
      'QUOTE_ALREADY_ORDERED',
      'QUOTE_EXPIRED',
    ],
    example: { request: { quoteId: QUOTE_EXAMPLE.quoteId, specialInstructions: 'Please pack flat' }, answer: ORDER_EXAMPLE },
    links: {
      readIt: { operationId: 'getOrder', parameters: { id: '$response.body#/data/orderId' }, description: 'Reads the order.' },
      cancelIt: { operationId: 'cancelOrder', parameters: { id: '$response.body#/data/orderId' }, description: 'Cancels it.' },
    },
  },
  list: {
    id: 'listOrders',
    tag: 'Orders',
    summary: "The account's orders of the key's environment, newest first",
    description:
      'Filters narrow together. A cursor keeps the filters it was given for: send it alone or with the same ones; with others it is refused.',
    answer: { type: 'array', items: ORDER },
    paged: true,
    example: { answer: [ORDER_EXAMPLE] },
  },
  read: {
    id: 'getOrder',
    tag: 'Orders',
    summary: 'One order as it is now',
    params: { id: orderId },
    answer: ORDER,
    example: { answer: ORDER_EXAMPLE },
  },
  cancel: {
    id: 'cancelOrder',
    tag: 'Orders',
    summary: 'Cancel an order that was not shipped, printed or paid',
    description: 'Cancelling a cancelled order is 200 with the order. No body is read.',
    params: { id: orderId },
    answer: ORDER,
    refuses: ['ORDER_NOT_CANCELLABLE'],
    example: { answer: { ...ORDER_EXAMPLE, status: 'cancelled', cancellable: { now: false, blockers: ['cancelled'] } } },
  },
  advance: {
    id: 'advanceTestOrder',
    tag: 'Orders',
    summary: 'Move a test order on, as the studio would',
    description:
      'For test keys; a live key finds nothing here. Send exactly one of `to`, `parcel` and `voidParcel`. What is missing on the way is told too, each step with its event and webhooks. Already there is 200 without an event.',
    params: { id: orderId },
    answer: ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: { request: { to: 'in_production' }, answer: { ...ORDER_EXAMPLE, status: 'in_production' } },
  },
} satisfies Record<string, OperationContract>;
