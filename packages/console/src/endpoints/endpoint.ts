import type { Of } from '../api/types';

/** A place of a client's that webhooks go to, as every endpoint of the API answers it. */
export type Endpoint = Of<'WebhookEndpoint'>;

/** What an action on it needs to know. */
export type Named = Pick<Endpoint, 'id' | 'url' | 'state'>;
