/**
 * Bounds how many attempts are in flight per endpoint. One that finds no room is told when to ask again: later the more
 * are asking, so that a hanging endpoint with a long queue costs little.
 */
export class InFlightLimit {
  private readonly running = new Map<string, number>();
  private readonly turnedAway = new Map<string, number>();
  private readonly listeners: ((id: string) => void)[] = [];

  constructor(private readonly most: number) {}

  /** How many more there is room for. */
  room(id: string): number {
    return this.most - (this.running.get(id) ?? 0);
  }

  /** Told whenever one has left. */
  onRoom(listener: (id: string) => void): void {
    this.listeners.push(listener);
  }

  /** 0 when there is room (then `leave` must follow), otherwise the milliseconds to wait before asking again. */
  enter(id: string): number {
    const running = this.running.get(id) ?? 0;
    if (running < this.most) {
      this.running.set(id, running + 1);
      return 0;
    }
    const asking = (this.turnedAway.get(id) ?? 0) + 1;
    this.turnedAway.set(id, asking);
    return Math.min(60_000, 1000 * Math.ceil(asking / this.most));
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
