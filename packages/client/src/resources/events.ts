import { List } from '../list.js';
import type { RequestOptions } from '../options.js';
import type { Transport } from '../transport.js';
import type { EventFilters } from '../types.js';
import type { OrderEvent, UnknownEvent } from '../webhooks/events.js';

export class EventsResource {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * `GET /events`: what the account's webhooks tell, oldest first, to catch up after an outage or instead of webhooks. It ends when there
   * is no more for now; go on later with the id of the last event you have as `after`. None is ever skipped. Scope `orders:read`.
   */
  list(filters: EventFilters = {}, options?: RequestOptions): List<OrderEvent | UnknownEvent> {
    return new List(this.#transport, { path: '/events', cursor: 'after', query: filters }, options);
  }
}
