import type { presentEndpoint } from '../../../presenters/webhook-endpoints';
import { ACCOUNT_ID } from './examples';
import * as json from '../../openapi/json';
import { ENDPOINT_FIELDS as COMMON_FIELDS } from '../../openapi/resources';
import { ENVIRONMENT } from './resources';

export type Endpoint = ReturnType<typeof presentEndpoint>;

const { id, ...fields } = COMMON_FIELDS;

export const ENDPOINT_FIELDS: json.Fields<Endpoint> = {
  id,
  accountId: [json.id('acc'), ACCOUNT_ID],
  environment: [ENVIRONMENT, 'test'],
  ...fields,
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
