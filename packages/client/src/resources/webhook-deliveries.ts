import { List } from '../list.js';
import type { RequestOptions } from '../options.js';
import { inPath, type Transport } from '../transport.js';
import type { WebhookDelivery, WebhookDeliveryFilters } from '../types.js';

export class WebhookDeliveriesResource {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** `GET /webhook-deliveries`: what was sent to the account's endpoints, or could not be, newest first. Scope `orders:read`. */
  list(filters: WebhookDeliveryFilters = {}, options?: RequestOptions): List<WebhookDelivery> {
    return new List(this.#transport, { path: '/webhook-deliveries', cursor: 'cursor', query: filters }, options);
  }

  /**
   * `POST /webhook-deliveries/{id}/resend`: the same event once more, with its id. Each call sends, so it is repeated only where the
   * service did nothing: over a budget. Scope `orders:write`.
   */
  async resend(deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery> {
    const path = `/webhook-deliveries/${inPath(deliveryId)}/resend`;
    return this.#transport.data({ method: 'POST', path, repeats: 'when-nothing-was-done' }, options);
  }
}
