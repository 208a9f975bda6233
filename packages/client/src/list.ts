import { TradePrintError, UNEXPECTED_ANSWER } from './errors.js';
import type { RequestOptions } from './options.js';
import type { Transport } from './transport.js';
import { randomId } from './runtime.js';

export interface Page<T> {
  data: T[];
  /** Pass it to `page()` to read the next page; null on the last page. */
  nextCursor: string | null;
}

/** The list endpoint and how it is paged. */
interface ListRequest {
  path: string;
  /** The query parameter for `nextCursor`. */
  cursorParameter: 'cursor' | 'after';
  query: Readonly<Record<string, unknown>>;
}

/** A paged list. `for await` iterates over all items and loads pages as needed; `page()` loads one page. */
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
   * Loads the first page, or the page at a `nextCursor`. For the `nextCursor` of the last page (null), it returns an empty page without
   * a request.
   * @throws TradePrintError if the response points to the same page again, because iterating would never end
   */
  async page(cursor?: string | null): Promise<Page<T>> {
    if (cursor === null) return { data: [], nextCursor: null };
    const { path, cursorParameter } = this.#call;
    const query = cursor === undefined ? this.#call.query : { ...this.#call.query, [cursorParameter]: cursor };
    const requestId = this.#options.requestId ?? randomId();
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
  const message = 'the nextCursor of this page points to the same page again';
  return new TradePrintError({ code: UNEXPECTED_ANSWER, message, status: 200, requestId });
}
