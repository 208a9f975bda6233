import { TradePrintError, UNEXPECTED_ANSWER } from './errors.js';
import type { RequestOptions } from './options.js';
import type { Transport } from './transport.js';

export interface Page<T> {
  data: T[];
  /** Where the next page starts; null on the last. */
  nextCursor: string | null;
}

/** Which list, and what its pages go by. */
interface ListCall {
  path: string;
  /** The query parameter that takes `nextCursor`. */
  cursor: 'cursor' | 'after';
  query: Readonly<Record<string, unknown>>;
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

  /**
   * One page: the first, or the one that starts at a `nextCursor`. After the last, whose `nextCursor` is null, comes an empty one, and
   * nothing is asked for. @throws TradePrintError where the page is said to be followed by itself: whoever goes on would never end
   */
  async page(cursor?: string | null): Promise<Page<T>> {
    if (cursor === null) return { data: [], nextCursor: null };
    const { path, cursor: name } = this.#call;
    const query = cursor === undefined ? this.#call.query : { ...this.#call.query, [name]: cursor };
    const requestId = this.#options.requestId ?? crypto.randomUUID();
    const answer = await this.#transport.answer<T[]>({ method: 'GET', path, query }, { ...this.#options, requestId });
    const nextCursor = answer.nextCursor ?? null;
    if (nextCursor !== null && nextCursor === query[name]) throw itself(requestId);
    return { data: answer.data, nextCursor };
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

function itself(requestId: string): TradePrintError {
  const message = 'the next page of the list is said to be the one that was just read';
  return new TradePrintError({ code: UNEXPECTED_ANSWER, message, status: 200, requestId });
}
