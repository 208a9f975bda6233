import type { RequestOptions } from '../options.js';
import { ShippingUnavailableError } from '../refusals.js';
import { inPath, type Transport } from '../transport.js';
import type { Breakdown, Quote, QuoteRequest, ShippingOption } from '../types.js';

export class QuotesResource {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** `POST /quotes`: prices a basket and holds the price for 24 hours; nothing is charged. Scope `price:read`. */
  create(basket: QuoteRequest, options?: RequestOptions): Promise<Quote> {
    return this.#transport.data({ method: 'POST', path: '/quotes', body: basket }, options);
  }

  /**
   * The delivery methods of a basket with their prices: a quote without `shippingMethodId` is refused with them, which is what the service
   * means by discovery. Those with `requiresQuote` cannot be chosen.
   */
  async shippingOptions(basket: Omit<QuoteRequest, 'shippingMethodId'>, options?: RequestOptions): Promise<ShippingOption[]> {
    try {
      await this.create({ ...basket, shippingMethodId: null }, options);
      return [];
    } catch (error) {
      // Details are what an answer says they are, and it may say none.
      const details =
        error instanceof ShippingUnavailableError ? (error.details as Partial<typeof error.details> | null | undefined) : null;
      if (Array.isArray(details?.shippingOptions)) return details.shippingOptions;
      throw error;
    }
  }

  /** `GET /quotes/{id}`: also one that has expired or was ordered. Scope `price:read`. */
  async get(quoteId: string, options?: RequestOptions): Promise<Quote> {
    return this.#transport.data({ method: 'GET', path: `/quotes/${inPath(quoteId)}` }, options);
  }

  /** `GET /quotes/{id}/breakdown`: what every amount of a quote is made of, adding up to the cent. Scope `price:read`. */
  async breakdown(quoteId: string, options?: RequestOptions): Promise<Breakdown> {
    return this.#transport.data({ method: 'GET', path: `/quotes/${inPath(quoteId)}/breakdown` }, options);
  }
}
