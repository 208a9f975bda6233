/** For how long after its waiting time a retry's place is kept, ms. */
const KEPT_MS = 1_000;

/** Limits attempts in flight per endpoint. Attempts that were turned away go before new ones; the more wait, the later they ask again. */
export class InFlightLimit {
  private readonly running = new Map<string, number>();
  private readonly turnedAway = new Map<string, number>();
  private readonly keptUntilMs = new Map<string, number>();
  private readonly listeners: ((id: string) => void)[] = [];

  /** @param nowMs a clock that only goes forward */
  constructor(
    private readonly most: number,
    private readonly nowMs: () => number,
  ) {}

  /** How many new attempts there is room for, besides those that were turned away. */
  room(id: string): number {
    const kept = (this.keptUntilMs.get(id) ?? 0) > this.nowMs() ? 1 : 0;
    return this.most - kept - (this.running.get(id) ?? 0);
  }

  onRoom(listener: (id: string) => void): void {
    this.listeners.push(listener);
  }

  /** Takes a place where `room` says that there is one; `leave` must follow. */
  take(id: string): void {
    this.running.set(id, (this.running.get(id) ?? 0) + 1);
  }

  /** 0 when there is room (then `leave` must follow), otherwise the milliseconds to wait before asking again. */
  enter(id: string): number {
    if ((this.running.get(id) ?? 0) < this.most) {
      this.keptUntilMs.delete(id);
      this.take(id);
      return 0;
    }
    const asking = (this.turnedAway.get(id) ?? 0) + 1;
    this.turnedAway.set(id, asking);
    const waitMs = Math.min(60_000, 1000 * Math.ceil(asking / this.most));
    // The place is kept for the first one waiting; the others come one by one.
    if ((this.keptUntilMs.get(id) ?? 0) < this.nowMs()) this.keptUntilMs.set(id, this.nowMs() + waitMs + KEPT_MS);
    return waitMs;
  }

  leave(id: string): void {
    const running = (this.running.get(id) ?? 1) - 1;
    const asking = (this.turnedAway.get(id) ?? 1) - 1;
    if (running > 0) this.running.set(id, running);
    else this.running.delete(id);
    // Who asks again is counted again: an idle endpoint has no crowd, whatever the count says.
    if (running > 0 && asking > 0) this.turnedAway.set(id, asking);
    else this.turnedAway.delete(id);
    for (const listener of this.listeners) listener(id);
  }
}
