import type { presentEndpoint } from '../../../presenters/webhook-endpoints';
import { ACCOUNT_ID, EXAMPLE_TIME, ENDPOINT_ID, ENDPOINT_URL } from './examples';
import * as json from '../../openapi/json';
import { EVENT_TYPES_SCHEMA } from '../../openapi/resources';
import { ENVIRONMENT } from './resources';

export type Endpoint = ReturnType<typeof presentEndpoint>;

export const ENDPOINT_FIELDS: json.Fields<Endpoint> = {
  id: [json.id('whe'), ENDPOINT_ID],
  accountId: [json.id('acc'), ACCOUNT_ID],
  environment: [ENVIRONMENT, 'test'],
  url: [json.uri(), ENDPOINT_URL],
  eventTypes: EVENT_TYPES_SCHEMA,
  state: [json.openEnum(['enabled', 'disabled'], 'events for a disabled endpoint are held'), 'enabled'],
  disabledReason: json.nullable(json.string('the reason that the studio sent, or the failures that disabled it')),
  consecutiveFailures: [json.integer('consecutive deliveries that used all attempts'), 0],
  secretOverlapUntil: json.nullable(json.time('the time until which the previous secret also signs')),
  deliveries: json.object<Endpoint['deliveries']>(
    {
      held: [json.integer('deliveries held while the endpoint was disabled; the count stops at 10,000'), 0],
      failed: [json.integer('deliveries that used all attempts; the count stops at 10,000'), 0],
    },
    { description: 'the deliveries that can be recovered' },
  ),
  createdAt: [json.time(), EXAMPLE_TIME],
  updatedAt: [json.time('the time of the last change of URL, event types, state or secret'), EXAMPLE_TIME],
};

export const ENDPOINT = json.resource<Endpoint>('WebhookEndpoint', ENDPOINT_FIELDS);

export const ENDPOINT_WITH_SECRET = json.resource<Endpoint & { secret: string; standardSecret: string }>('WebhookEndpointWithSecret', {
  ...ENDPOINT_FIELDS,
  secret: [json.string('the secret, `lpw_…`; no other response contains it', { pattern: '^lpw_[0-9a-f]{64}$' }), `lpw_${'0'.repeat(64)}`],
  standardSecret: [
    json.string('the same secret in the format of Standard Webhooks', { pattern: '^whsec_[A-Za-z0-9+/]+=*$' }),
    `whsec_bHB3${'XzAw'.repeat(22)}`,
  ],
});
