import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** Limits for unread responses of one key. */
export interface UnsentLimits {
  /** For all connections together. */
  bytes: number;
  /** If other requests of the key wait, a response that is not read within this time is closed, ms. */
  slowMs: number;
}

export const DEFAULT_UNSENT_LIMITS: UnsentLimits = { bytes: 8 * 1024 * 1024, slowMs: 10_000 };

/** The interval of measurements while a request waits, ms. */
const CHECK_INTERVAL_MS = 100;

/** An admitted request. Call `end` when the response is ready, with the body of a stream. */
export interface ResponseSlot {
  end: (body?: Readable) => void;
}

const UNCOUNTED_SLOT: ResponseSlot = { end: () => undefined };

/** A response until the operating system has all its bytes. */
class UnsentResponse implements ResponseSlot {
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

  /** The expected size until the response is sent. */
  get bytes(): number {
    if (!this.response.headersSent) return this.expectedBytes;
    return this.response.writableLength + (this.body?.readableLength ?? 0);
  }

  isSlow(slowMs: number): boolean {
    return performance.now() - this.readyAtMs >= slowMs && this.bytes > 0;
  }

  /** Uses the request's socket, because a pipelined response has none yet. */
  closeConnection(): void {
    this.response.req.socket.destroy();
  }
}

interface WaitingRequest {
  response: ServerResponse;
  expectedBytes: number;
  resolve: (turn: ResponseSlot | null) => void;
}

interface ResponsesOfKey {
  unsent: Map<ServerResponse, UnsentResponse>;
  waiting: WaitingRequest[];
  checkTimer?: NodeJS.Timeout;
}

/**
 * Bounds the memory for unread responses of one key. Further requests of the key wait before the service reads data for them; other keys do
 * not wait (ruling 75).
 */
export class UnsentResponses {
  private readonly keys = new Map<string, ResponsesOfKey>();

  /** @param onCut receives the key and the unsent bytes of each closed response */
  constructor(
    private readonly limits: UnsentLimits,
    private readonly onCut: (key: string, bytes: number) => void = () => undefined,
  ) {}

  /**
   * Waits until the key's unsent responses leave room for `expectedBytes`. A key without unsent responses has room for any size.
   * @returns null if the client disconnects first
   */
  async acquireSlot(key: string, response: ServerResponse, expectedBytes: number): Promise<ResponseSlot | null> {
    if (response.closed) return UNCOUNTED_SLOT;
    const responses: ResponsesOfKey = this.keys.get(key) ?? { unsent: new Map(), waiting: [] };
    this.keys.set(key, responses);
    return new Promise((resolve) => {
      responses.waiting.push({ response, expectedBytes, resolve });
      response.setMaxListeners(response.getMaxListeners() + 1); // a streamed response already has ten, the default limit
      response.once('close', () => this.release(key, responses, response));
      this.assignSlots(key, responses);
    });
  }

  private release(key: string, responses: ResponsesOfKey, response: ServerResponse): void {
    responses.unsent.delete(response);
    responses.waiting = responses.waiting.filter((request) => {
      if (request.response !== response) return true;
      request.resolve(null);
      return false;
    });
    this.assignSlots(key, responses);
    if (responses.unsent.size + responses.waiting.length === 0) this.keys.delete(key);
  }

  private assignSlots(key: string, responses: ResponsesOfKey): void {
    for (let [next] = responses.waiting; next !== undefined && this.hasCapacity(responses, next); [next] = responses.waiting) {
      responses.waiting.shift();
      const slot = new UnsentResponse(next.response, next.expectedBytes);
      responses.unsent.set(next.response, slot);
      next.resolve(slot);
    }
    if (responses.waiting.length === 0) {
      clearInterval(responses.checkTimer);
      responses.checkTimer = undefined;
    } else responses.checkTimer ??= setInterval(() => this.closeSlowest(key, responses), CHECK_INTERVAL_MS).unref();
  }

  private hasCapacity({ unsent }: ResponsesOfKey, { expectedBytes }: WaitingRequest): boolean {
    return unsent.size === 0 || bytesOf(unsent) + expectedBytes <= this.limits.bytes;
  }

  /** Closes the largest slow response. The next request is served after its connection has closed. */
  private closeSlowest(key: string, responses: ResponsesOfKey): void {
    this.assignSlots(key, responses);
    if (responses.waiting.length === 0) return;
    const slow = [...responses.unsent.values()].filter((response) => response.isSlow(this.limits.slowMs));
    const [largest] = slow.toSorted((a, b) => b.bytes - a.bytes);
    if (largest === undefined) return;
    this.onCut(key, largest.bytes);
    largest.closeConnection();
  }
}

function bytesOf(unsent: ReadonlyMap<ServerResponse, UnsentResponse>): number {
  let bytes = 0;
  for (const response of unsent.values()) bytes += response.bytes;
  return bytes;
}
