import { KeyedQueue } from '../runtime/keyed-queue';

const REMEMBERED_MS = 1_000;
const MAX_REMEMBERED = 10_000;

/**
 * Keeps floods of failed authentication away from the database: for one second it remembers keys without a row and throttled sources. The
 * failures are still counted in the database (ruling 14).
 */
export class FailedAuthentications {
  private readonly unknownKeys: Memory<true>;
  /** The end of the throttling, ms. */
  private readonly throttledSources: Memory<number>;
  /** A throttled source looks up one key at a time. Its good key waits and then works. */
  private readonly lookUps = new KeyedQueue({ concurrency: 1, maxWaiting: 200, maxWaitMs: 5_000 });

  /** @param nowMs a clock that only goes forward */
  constructor(private readonly nowMs: () => number) {
    this.unknownKeys = new Memory(nowMs);
    this.throttledSources = new Memory(nowMs);
  }

  isUnknown(keyHash: Buffer): boolean {
    return this.unknownKeys.get(keyHash.toString('base64')) === true;
  }

  /** For keys without a row only: a suspended key works again at once (ruling 13). */
  rememberUnknown(keyHash: Buffer): void {
    this.unknownKeys.set(keyHash.toString('base64'), true);
  }

  throttle(source: string, seconds: number): void {
    this.throttledSources.set(source, this.nowMs() + seconds * 1000);
  }

  /** Seconds until the source is no longer throttled, or 0. */
  secondsThrottled(source: string): number {
    return Math.max(0, Math.ceil(((this.throttledSources.get(source) ?? 0) - this.nowMs()) / 1000));
  }

  /** @throws QueueOverloaded when too many look-ups of a throttled source wait */
  lookUp<T>(source: string, work: () => Promise<T>): Promise<T> {
    return this.secondsThrottled(source) > 0 ? this.lookUps.run(source, work) : work();
  }
}

/** Values that are kept for a second. */
class Memory<T> {
  private readonly entries = new Map<string, { value: T; untilMs: number }>();

  constructor(private readonly nowMs: () => number) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    return entry !== undefined && entry.untilMs > this.nowMs() ? entry.value : undefined;
  }

  set(key: string, value: T): void {
    this.removeExpired();
    if (this.entries.size >= MAX_REMEMBERED) return;
    this.entries.delete(key); // so that the entries stay in the order of their expiry
    this.entries.set(key, { value, untilMs: this.nowMs() + REMEMBERED_MS });
  }

  private removeExpired(): void {
    for (const [key, { untilMs }] of this.entries) {
      if (untilMs > this.nowMs()) return;
      this.entries.delete(key);
    }
  }
}
