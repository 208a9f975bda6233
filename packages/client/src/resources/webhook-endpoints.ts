import { List } from '../list.js';
import type { RequestOptions } from '../options.js';
import type { Transport } from '../transport.js';
import type { PageFilters, WebhookEndpoint } from '../types.js';

export class WebhookEndpointsResource {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** `GET /webhook-endpoints`: the account's own, newest first; the studio registers and enables them. Scope `orders:read`. */
  list(filters: PageFilters = {}, options?: RequestOptions): List<WebhookEndpoint> {
    return new List(this.#transport, { path: '/webhook-endpoints', cursor: 'cursor', query: filters }, options);
  }
}
