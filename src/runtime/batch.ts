/** Limits of one batch: time in ms and number of items. */
const DELAY_MS = 50;
const MAX_SIZE = 200;

/** Collects items for a short time and passes them on together. `flush` must not reject. */
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

  /** Adds the item to a batch that is passed on within `afterMs`. */
  addLater(item: T, afterMs: number): void {
    this.items.push(item);
    this.timer ??= setTimeout(() => this.flushNow(), afterMs);
  }

  /** The number of items that are waiting or being processed, as an upper bound. */
  get pendingCount(): number {
    return this.items.length + this.runningFlushes.size * this.maxSize;
  }

  /** Passes on the waiting items and waits for all batches. Items added meanwhile by `addLater` are dropped. */
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
