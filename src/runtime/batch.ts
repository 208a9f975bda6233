/** Things that come within this time, ms, are handled together, at most so many at once. */
const GATHER_MS = 50;
const AT_ONCE = 200;

/** Gathers things for a moment and hands them over together; `flush` must not reject. */
export class Batch<T> {
  private gathered: T[] = [];
  private timer: NodeJS.Timeout | null = null;
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly flush: (things: T[]) => Promise<void>,
    private readonly gatherMs = GATHER_MS,
    private readonly atOnce = AT_ONCE,
  ) {}

  add(thing: T): void {
    this.gathered.push(thing);
    if (this.gathered.length >= this.atOnce) this.send();
    else this.timer ??= setTimeout(() => this.send(), this.gatherMs);
  }

  /** Hands it over again within `afterMs`, with the next batch. */
  again(thing: T, afterMs: number): void {
    this.gathered.push(thing);
    this.timer ??= setTimeout(() => this.send(), afterMs);
  }

  /** At most so many are gathered or under way. */
  get waiting(): number {
    return this.gathered.length + this.underWay.size * this.atOnce;
  }

  /** Hands over what is gathered and waits until it is done with; what is to be handed over once more is dropped. */
  async close(): Promise<void> {
    this.send();
    await Promise.all(this.underWay);
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private send(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const things = this.gathered;
    this.gathered = [];
    if (things.length === 0) return;
    const sent = this.flush(things);
    this.underWay.add(sent);
    // oxlint-disable-next-line typescript/no-floating-promises -- `flush` does not reject, and `close` waits for it
    sent.finally(() => this.underWay.delete(sent));
  }
}
