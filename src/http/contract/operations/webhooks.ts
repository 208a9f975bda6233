import { OWN_DELIVERY_EXAMPLE, OWN_ENDPOINT_EXAMPLE } from '../examples';
import { string } from '../json';
import type { OperationContract } from '../operation';
import { OWN_DELIVERY, OWN_ENDPOINT } from '../resources';

export const WEBHOOK_OPERATIONS = {
  endpoints: {
    id: 'listWebhookEndpoints',
    tag: 'Webhooks',
    summary: "The account's endpoints of the key's environment, newest first; never their secrets",
    description: 'The studio registers and enables them.',
    answer: { type: 'array', items: OWN_ENDPOINT },
    paged: true,
    example: { answer: [OWN_ENDPOINT_EXAMPLE] },
  },
  deliveries: {
    id: 'listWebhookDeliveries',
    tag: 'Webhooks',
    summary: 'What was sent to them, is to be sent or could not be, newest first',
    answer: { type: 'array', items: OWN_DELIVERY },
    paged: true,
    example: { answer: [OWN_DELIVERY_EXAMPLE] },
  },
  resend: {
    id: 'resendWebhookDelivery',
    tag: 'Webhooks',
    summary: 'Send a delivery again, whatever became of it',
    description: 'A new chain of attempts with the same event: the same id and body, signed anew. No body is read.',
    params: { id: { schema: string(), description: 'of the delivery', example: OWN_DELIVERY_EXAMPLE.id } },
    answer: OWN_DELIVERY,
    refuses: ['ENDPOINT_DISABLED'],
    example: {
      answer: {
        ...OWN_DELIVERY_EXAMPLE,
        state: 'pending',
        trigger: 'resend',
        attemptCount: 0,
        nextAttemptAt: '2026-03-05T01:00:00.000Z',
        completedAt: null,
      },
    },
  },
} satisfies Record<string, OperationContract>;
