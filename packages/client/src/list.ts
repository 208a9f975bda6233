import { TradePrintError, UNEXPECTED_ANSWER } from './errors.js';
import type { RequestOptions } from './options.js';
import type { Transport } from './transport.js';

export interface Page<T> {
  data: T[];
  /** Where the next page starts; null on the last. */
  nextCursor: string | null;
}

/** Which list, and what its pages go by. */
interface ListRequest {
  path: string;
  /** The query parameter that takes `nextCursor`. */
  cursorParameter: 'cursor' | 'after';
  query: Readonly<Record<string, unknown>>;
}

/** A list of any length: `for await` reads all of it, page after page as it goes; `page()` reads one. */
export class List<T> implements AsyncIterable<T> {
  readonly #transport: Transport;
  readonly #call: ListRequest;
  readonly #options: RequestOptions;

  constructor(transport: Transport, call: ListRequest, options: RequestOptions = {}) {
    this.#transport = transport;
    this.#call = call;
    this.#options = options;
  }

  /**
   * One page: the first, or the one that starts at a `nextCursor`. After the last, whose `nextCursor` is null, comes an empty one, and
   * nothing is asked for. @throws TradePrintError where the page is said to be followed by itself: whoever goes on would never end
   */
  async page(cursor?: string | null): Promise<Page<T>> {
    if (cursor === null) return { data: [], nextCursor: null };
    const { path, cursorParameter } = this.#call;
    const query = cursor === undefined ? this.#call.query : { ...this.#call.query, [cursorParameter]: cursor };
    const requestId = this.#options.requestId ?? crypto.randomUUID();
    const response = await this.#transport.request<T[]>({ method: 'GET', path, query }, { ...this.#options, requestId });
    const nextCursor = response.nextCursor ?? null;
    if (nextCursor !== null && nextCursor === query[cursorParameter]) throw createRepeatedPageError(requestId);
    return { data: response.data, nextCursor };
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

function createRepeatedPageError(requestId: string): TradePrintError {
  const message = 'the next page of the list is said to be the one that was just read';
  return new TradePrintError({ code: UNEXPECTED_ANSWER, message, status: 200, requestId });
}
