/**
 * A signal that aborts after `ms`, or with one of `signals`. Replaces `AbortSignal.any`: on Node 20, its signal never aborts with a timeout
 * after a garbage collection. Always call `release` when the work has ended.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly signals: readonly AbortSignal[],
    ms?: number,
  ) {
    for (const signal of signals) {
      if (signal.aborted) this.abort(signal.reason);
      signal.addEventListener('abort', this.abortWith);
    }
    if (ms === undefined) return;
    this.timer = setTimeout(() => this.abort(new DOMException(`not finished within ${ms} ms`, 'TimeoutError')), ms);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(reason?: unknown): void {
    this.controller.abort(reason);
  }

  release(): void {
    clearTimeout(this.timer);
    for (const signal of this.signals) signal.removeEventListener('abort', this.abortWith);
  }

  private readonly abortWith = ({ target }: Event): void => this.abort((target as AbortSignal).reason);
}
