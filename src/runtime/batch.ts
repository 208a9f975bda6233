/** Things that come within this time, ms, are handled together, at most so many at once. */
const DELAY_MS = 50;
const MAX_SIZE = 200;

/** Gathers things for a moment and hands them over together; `flush` must not reject. */
export class Batch<T> {
  private items: T[] = [];
  private timer: NodeJS.Timeout | null = null;
  private readonly runningFlushes = new Set<Promise<void>>();

  constructor(
    private readonly flush: (things: T[]) => Promise<void>,
    private readonly delayMs = DELAY_MS,
    private readonly maxSize = MAX_SIZE,
  ) {}

  add(item: T): void {
    this.items.push(item);
    if (this.items.length >= this.maxSize) this.flushNow();
    else this.timer ??= setTimeout(() => this.flushNow(), this.delayMs);
  }

  /** Hands it over again within `afterMs`, with the next batch. */
  addLater(item: T, afterMs: number): void {
    this.items.push(item);
    this.timer ??= setTimeout(() => this.flushNow(), afterMs);
  }

  /** At most so many are gathered or under way. */
  get pendingCount(): number {
    return this.items.length + this.runningFlushes.size * this.maxSize;
  }

  /** Hands over what is gathered and waits until it is done with; what is to be handed over once more is dropped. */
  async close(): Promise<void> {
    this.flushNow();
    await Promise.all(this.runningFlushes);
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private flushNow(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const batch = this.items;
    this.items = [];
    if (batch.length === 0) return;
    const flushed = this.flush(batch);
    this.runningFlushes.add(flushed);
    // oxlint-disable-next-line typescript/no-floating-promises -- `flush` does not reject, and `close` waits for it
    flushed.finally(() => this.runningFlushes.delete(flushed));
  }
}
