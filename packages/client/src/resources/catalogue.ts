import type { RequestOptions } from '../options.js';
import type { Transport } from '../transport.js';
import type { Catalogue } from '../types.js';

export class CatalogueResource {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** `GET /catalogue`: what can be ordered, without prices. It may be kept for a minute. Scope `price:read`. */
  get(options?: RequestOptions): Promise<Catalogue> {
    return this.#transport.data({ method: 'GET', path: '/catalogue' }, options);
  }
}
