import { TimeoutError } from './errors.js';
import { parseTimeoutMs } from './options.js';

/** Combines the time limit of a call and the caller's signal in one signal, which ends requests and waits. */
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

  /** @throws the reason of the caller's signal, or TimeoutError, once the call has ended */
  throwIfOver(): void {
    this.signal.throwIfAborted();
  }

  /** Settles like `work`, or rejects with the error of `throwIfOver` as soon as the call has ended. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(this.signal.reason as Error);
      if (this.signal.aborted) end();
      this.signal.addEventListener('abort', end, { once: true });
      work.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', end));
    });
  }

  /** Resolves after `ms`, or rejects with the error of `throwIfOver` as soon as the call has ended. */
  async wait(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waited = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await this.race(waited).finally(() => clearTimeout(timer));
  }

  /** Stops the timer. Every call must invoke it at its end, also after a failure. */
  release(): void {
    clearTimeout(this.#timer);
    this.#release();
  }
}

function createTimeoutError(timeoutMs: number, requestId: string): TimeoutError {
  return new TimeoutError({
    code: 'TIMEOUT',
    message: `the call did not finish within ${timeoutMs} ms; the service may have executed the request`,
    status: null,
    requestId,
  });
}
