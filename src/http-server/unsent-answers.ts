import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** Limits of one key's answers that its clients have not read. */
export interface UnsentBounds {
  /** On all connections together. */
  bytes: number;
  /** While other requests of the key wait, an answer that is not read within this time is cut, ms. */
  slowMs: number;
}

export const UNSENT_BOUNDS: UnsentBounds = { bytes: 8 * 1024 * 1024, slowMs: 10_000 };

/** How often answers are measured while a request waits, ms. */
const MEASURE_EVERY_MS = 100;

/** A request that may be served. Call `end` once its answer is ready, with the body if it is a stream. */
export interface Turn {
  end: (body?: Readable) => void;
}

const UNCOUNTED: Turn = { end: () => undefined };

/** An answer, until the operating system has all its bytes. */
class UnsentAnswer implements Turn {
  private readyAtMs = Number.POSITIVE_INFINITY;
  private body: Readable | undefined;

  constructor(
    readonly response: ServerResponse,
    private readonly expectedBytes: number,
  ) {}

  end(body?: Readable): void {
    this.readyAtMs = performance.now();
    this.body = body;
  }

  /** The expected size until the answer is sent. */
  get bytes(): number {
    if (!this.response.headersSent) return this.expectedBytes;
    return this.response.writableLength + (this.body?.readableLength ?? 0);
  }

  isSlow(slowMs: number): boolean {
    return performance.now() - this.readyAtMs >= slowMs && this.bytes > 0;
  }

  /** Uses the request's socket, because a pipelined answer has none yet. */
  cut(): void {
    this.response.req.socket.destroy();
  }
}

interface WaitingRequest {
  response: ServerResponse;
  expectedBytes: number;
  serve: (turn: Turn | null) => void;
}

interface AnswersOfKey {
  unsent: Map<ServerResponse, UnsentAnswer>;
  waiting: WaitingRequest[];
  measuring?: NodeJS.Timeout;
}

/**
 * Bounds the memory of answers that one key's clients do not read. Further requests of the key wait before the service reads any data for
 * them; other keys do not wait (ruling 75).
 */
export class UnsentAnswers {
  private readonly keys = new Map<string, AnswersOfKey>();

  /** @param onCut receives the key and the unsent bytes of each answer that is cut */
  constructor(
    private readonly bounds: UnsentBounds,
    private readonly onCut: (key: string, bytes: number) => void = () => undefined,
  ) {}

  /**
   * Waits until the key's unsent answers leave room for `expectedBytes`. A key without unsent answers has room for any size.
   * @returns null if the client disconnects meanwhile
   */
  async begin(key: string, response: ServerResponse, expectedBytes: number): Promise<Turn | null> {
    if (response.closed) return UNCOUNTED;
    const answers: AnswersOfKey = this.keys.get(key) ?? { unsent: new Map(), waiting: [] };
    this.keys.set(key, answers);
    return new Promise((serve) => {
      answers.waiting.push({ response, expectedBytes, serve });
      response.setMaxListeners(response.getMaxListeners() + 1); // a streamed answer already has ten, the default limit
      response.once('close', () => this.forget(key, answers, response));
      this.serveNext(key, answers);
    });
  }

  private forget(key: string, answers: AnswersOfKey, response: ServerResponse): void {
    answers.unsent.delete(response);
    answers.waiting = answers.waiting.filter((request) => {
      if (request.response !== response) return true;
      request.serve(null);
      return false;
    });
    this.serveNext(key, answers);
    if (answers.unsent.size + answers.waiting.length === 0) this.keys.delete(key);
  }

  private serveNext(key: string, answers: AnswersOfKey): void {
    for (let [next] = answers.waiting; next !== undefined && this.hasRoom(answers, next); [next] = answers.waiting) {
      answers.waiting.shift();
      const turn = new UnsentAnswer(next.response, next.expectedBytes);
      answers.unsent.set(next.response, turn);
      next.serve(turn);
    }
    if (answers.waiting.length === 0) {
      clearInterval(answers.measuring);
      answers.measuring = undefined;
    } else answers.measuring ??= setInterval(() => this.measure(key, answers), MEASURE_EVERY_MS).unref();
  }

  private hasRoom({ unsent }: AnswersOfKey, { expectedBytes }: WaitingRequest): boolean {
    return unsent.size === 0 || bytesOf(unsent) + expectedBytes <= this.bounds.bytes;
  }

  /** Cuts the largest slow answer. Once its connection has closed, the next request is served. */
  private measure(key: string, answers: AnswersOfKey): void {
    this.serveNext(key, answers);
    if (answers.waiting.length === 0) return;
    const slow = [...answers.unsent.values()].filter((answer) => answer.isSlow(this.bounds.slowMs));
    const [largest] = slow.toSorted((a, b) => b.bytes - a.bytes);
    if (largest === undefined) return;
    this.onCut(key, largest.bytes);
    largest.cut();
  }
}

function bytesOf(unsent: ReadonlyMap<ServerResponse, UnsentAnswer>): number {
  let bytes = 0;
  for (const answer of unsent.values()) bytes += answer.bytes;
  return bytes;
}
