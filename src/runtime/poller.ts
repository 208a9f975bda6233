export interface PollerOptions {
  /** Ms until the next regular poll. */
  intervalMs: () => number;
  /** Minimum ms between polls, so that a burst of requests shares one. */
  minIntervalMs?: number;
  onError: (error: unknown) => void;
}

const RETRY_MS = 250;

/** Calls `poll` repeatedly, one call at a time: after `intervalMs`, or at once through `pollNow`. */
export class Poller {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isRequested = false;
  private isStopped = true;
  private startedAtMs = Number.NEGATIVE_INFINITY;
  private dueAtMs = 0;

  /** @param poll resolves to true if the next poll should follow at once */
  constructor(
    private readonly poll: () => Promise<boolean>,
    private readonly options: PollerOptions,
  ) {}

  start(): void {
    this.isStopped = false;
    this.pollNow();
  }

  /** Polls now, or right after the running poll. */
  pollNow(): void {
    if (this.isStopped) return;
    if (this.running !== null) {
      this.isRequested = true;
      return;
    }
    const waitMs = (this.options.minIntervalMs ?? 0) - (performance.now() - this.startedAtMs);
    if (waitMs > 0) return this.pollAfter(waitMs);
    this.clearTimer();
    this.startedAtMs = performance.now();
    this.running = this.run();
  }

  /** Waits for the running poll. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.clearTimer();
    await this.running;
  }

  /** Keeps an earlier timer. */
  private pollAfter(ms: number): void {
    if (this.timer !== null && this.dueAtMs <= performance.now() + ms) return;
    this.clearTimer();
    this.dueAtMs = performance.now() + ms;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.pollNow();
    }, ms);
  }

  private clearTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private async run(): Promise<void> {
    let hasFailed = false;
    try {
      this.isRequested = (await this.poll()) || this.isRequested;
    } catch (error) {
      this.options.onError(error);
      hasFailed = true;
    }
    this.running = null;
    if (this.isStopped) return;
    const isRequested = this.isRequested;
    this.isRequested = false;
    if (isRequested && !hasFailed) this.pollNow();
    else if (isRequested) this.pollAfter(RETRY_MS);
    else this.pollAfter(Math.max(hasFailed ? RETRY_MS : 0, this.options.intervalMs()));
  }
}
