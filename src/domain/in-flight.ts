/** How much longer than it was told to wait a retry finds its place kept, ms. */
const KEPT_MS = 1_000;

/**
 * Bounds how many attempts are in flight per endpoint. One that finds no room is told when to ask again: later the more
 * are asking, so that a hanging endpoint with a long queue costs little. A place that becomes free is kept for who was turned away
 * before: what is new comes after.
 */
export class InFlightLimit {
  private readonly running = new Map<string, number>();
  private readonly turnedAway = new Map<string, number>();
  private readonly keptUntilMs = new Map<string, number>();
  private readonly listeners: ((id: string) => void)[] = [];

  constructor(
    private readonly most: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** How many more there is room for, of those that were not turned away. */
  room(id: string): number {
    const kept = (this.keptUntilMs.get(id) ?? 0) > this.nowMs() ? 1 : 0;
    return this.most - kept - (this.running.get(id) ?? 0);
  }

  /** Told whenever one has left. */
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
    // For the first of them: the others come one after the other.
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
