import { List } from '../list.js';
import type { RequestOptions } from '../options.js';
import { inPath, type Transport } from '../transport.js';
import type { Order, OrderFilters, OrderRequest } from '../types.js';

export class OrdersResource {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * `POST /orders`: turns a quote into an order on account. The call carries one Idempotency-Key however often it is repeated, so it orders
   * once; to be as safe over a crash of your own, pass an `idempotencyKey` that you keep. Scope `orders:write`.
   */
  create(order: OrderRequest, options?: RequestOptions): Promise<Order> {
    return this.#transport.data({ method: 'POST', path: '/orders', body: order }, options);
  }

  /** `GET /orders/{id}`: as it is now. Scope `orders:read`. */
  async get(orderId: string, options?: RequestOptions): Promise<Order> {
    return this.#transport.data({ method: 'GET', path: `/orders/${inPath(orderId)}` }, options);
  }

  /** `GET /orders`: newest first, of the key's environment; page after page as it is read. Scope `orders:read`. */
  list(filters: OrderFilters = {}, options?: RequestOptions): List<Order> {
    return new List(this.#transport, { path: '/orders', cursor: 'cursor', query: filters }, options);
  }

  /** `POST /orders/{id}/cancel`: while the studio has not printed, shipped or taken money. Twice is once. Scope `orders:write`. */
  async cancel(orderId: string, options?: RequestOptions): Promise<Order> {
    return this.#transport.data({ method: 'POST', path: `/orders/${inPath(orderId)}/cancel` }, options);
  }
}
