import type { RequestOptions } from '../options.js';
import { inPath, type Transport } from '../transport.js';
import type { AdvanceRequest, Order } from '../types.js';

/** For test keys alone: what the studio's floor would do. */
export class TestResource {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * `POST /test/orders/{id}/advance`: moves a test order on, webhooks included, as the studio would. `{ to }` is the status it is to reach,
   * `{ parcel }` a parcel that leaves, `{ voidParcel }` one whose label is voided. Already there is no event. Scope `orders:write`.
   */
  async advance(orderId: string, step: AdvanceRequest, options?: RequestOptions): Promise<Order> {
    return this.#transport.data({ method: 'POST', path: `/test/orders/${inPath(orderId)}/advance`, body: step }, options);
  }
}
