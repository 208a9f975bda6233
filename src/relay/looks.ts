/** A thing looked at again and again: at once when asked, and otherwise after a while; never twice at a time. */
export class Looks {
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<void> | null = null;
  private again = false;
  private stopped = true;

  /**
   * @param look answers true when it is worth looking again at once
   * @param everyMs until the next look that nobody asked for
   */
  constructor(private readonly look: () => Promise<boolean>, private readonly everyMs: () => number, private readonly failed: (error: unknown) => void) {}

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
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.looking = this.run();
  }

  /** Waits for the look under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.looking;
  }

  private async run(): Promise<void> {
    let waitMs = 0;
    try {
      this.again = await this.look() || this.again;
    } catch (error) {
      this.failed(error);
      waitMs = 250; // whatever is wrong, asking at once will not mend it
    }
    this.looking = null;
    if (this.stopped) return;
    const soon = this.again;
    this.again = false;
    if (soon && waitMs === 0) this.soon();
    else this.timer = setTimeout(() => this.soon(), soon ? waitMs : Math.max(waitMs, this.everyMs()));
  }
}
