/** Calls `look` again and again: at once when asked to, otherwise after a while, and never twice at the same time. */
export class Looks {
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> | null = null;
  private again = false;
  private stopped = true;
  private lookedAtMs = Number.NEGATIVE_INFINITY;
  private dueAtMs = 0;

  /**
   * @param look answers true when it is worth looking again at once
   * @param everyMs until the next look that nobody asked for
   * @param apartMs the least time between the beginnings of two looks, so that requests that come in a crowd share one
   */
  constructor(
    private readonly look: () => Promise<boolean>,
    private readonly everyMs: () => number,
    private readonly failed: (error: unknown) => void,
    private readonly apartMs = 0,
  ) {}

  start(): void {
    this.stopped = false;
    this.soon();
  }

  soon(): void {
    if (this.stopped) return;
    if (this.looking !== null) {
      this.again = true;
      return;
    }
    const earlyMs = this.apartMs - (performance.now() - this.lookedAtMs);
    if (earlyMs > 0) return this.later(earlyMs);
    this.clear();
    this.lookedAtMs = performance.now();
    this.looking = this.run();
  }

  /** The look that is soonest stands. */
  private later(ms: number): void {
    if (this.timer !== null && this.dueAtMs <= performance.now() + ms) return;
    this.clear();
    this.dueAtMs = performance.now() + ms;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.soon();
    }, ms);
  }

  private clear(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Waits for the look under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.clear();
    await this.looking;
  }

  private async run(): Promise<void> {
    let waitMs = 0;
    try {
      this.again = (await this.look()) || this.again;
    } catch (error) {
      this.failed(error);
      waitMs = 250; // whatever is wrong, asking at once will not mend it
    }
    this.looking = null;
    if (this.stopped) return;
    const soon = this.again;
    this.again = false;
    if (soon && waitMs === 0) this.soon();
    else this.later(soon ? waitMs : Math.max(waitMs, this.everyMs()));
  }
}
