import { TimeoutError } from './errors.js';
import { parseTimeoutMs } from './options.js';

/** The time one call has: its own limit and the caller's signal, as one signal that ends fetches and waits alike. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #endsAt: number;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #release: () => void;

  constructor({ signal, timeoutMs, requestId }: { signal: AbortSignal | undefined; timeoutMs: number; requestId: string }) {
    this.#endsAt = Date.now() + parseTimeoutMs(timeoutMs);
    this.#timer = setTimeout(() => this.#controller.abort(createTimeoutError(timeoutMs, requestId)), timeoutMs);
    const abort = (): void => this.#controller.abort(signal?.reason);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    this.#release = () => signal?.removeEventListener('abort', abort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get remainingMs(): number {
    return this.#endsAt - Date.now();
  }

  /** @throws the signal's reason, or TimeoutError, once the time is over. */
  throwIfOver(): void {
    this.signal.throwIfAborted();
  }

  /** The same promise, but it rejects as `check` does as soon as the time is over. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(this.signal.reason as Error);
      if (this.signal.aborted) end();
      this.signal.addEventListener('abort', end, { once: true });
      work.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', end));
    });
  }

  /** Resolves after so many ms; rejects as `check` does as soon as the time is over. */
  async wait(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waited = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await this.race(waited).finally(() => clearTimeout(timer));
  }

  /** To be called when the call is over, however it ended. */
  release(): void {
    clearTimeout(this.#timer);
    this.#release();
  }
}

function createTimeoutError(timeoutMs: number, requestId: string): TimeoutError {
  return new TimeoutError({
    code: 'TIMEOUT',
    message: `the call was not over after ${timeoutMs} ms; whether the service did what it asks for is not known`,
    status: null,
    requestId,
  });
}
