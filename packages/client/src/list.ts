import type { RequestOptions } from './options.js';
import type { Transport } from './transport.js';

export interface Page<T> {
  data: T[];
  /** Where the next page starts; null on the last. */
  nextCursor: string | null;
}

/** Which list, and what its pages go by. */
export interface ListCall {
  path: string;
  /** The query parameter that takes `nextCursor`. */
  cursor: 'cursor' | 'after';
  query: object;
}

/** A list of any length: `for await` reads all of it, page after page as it goes; `page()` reads one. */
export class List<T> implements AsyncIterable<T> {
  readonly #transport: Transport;
  readonly #call: ListCall;
  readonly #options: RequestOptions;

  constructor(transport: Transport, call: ListCall, options: RequestOptions = {}) {
    this.#transport = transport;
    this.#call = call;
    this.#options = options;
  }

  /** One page: the first, or the one that starts at a `nextCursor`. */
  async page(cursor?: string): Promise<Page<T>> {
    const { path, query, cursor: name } = this.#call;
    const at = cursor === undefined ? {} : { [name]: cursor };
    const answer = await this.#transport.answer<T[]>({ method: 'GET', path, query: { ...query, ...at } }, this.#options);
    return { data: answer.data, nextCursor: answer.nextCursor ?? null };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page = await this.page();
    for (;;) {
      yield* page.data;
      if (page.nextCursor === null) return;
      page = await this.page(page.nextCursor);
    }
  }
}
