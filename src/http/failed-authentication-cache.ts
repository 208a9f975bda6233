import { KeyedQueue } from '../runtime/keyed-queue';

const REMEMBERED_MS = 1_000;
const MAX_REMEMBERED = 10_000;

/**
 * Remembers unknown keys and throttled sources for one second, so that floods of failed authentications do not reach the database. The
 * database still counts failures up to the limit (ruling 14).
 */
export class FailedAuthenticationCache {
  private readonly unknownKeys: Memory<true>;
  /** Values are when the throttling ends, ms. */
  private readonly throttledSources: Memory<number>;
  /** A throttled source looks up one key at a time; its valid keys wait and then work. */
  private readonly lookUps = new KeyedQueue({ concurrency: 1, maxWaiting: 200, maxWaitMs: 5_000 });

  /** @param nowMs a monotonic clock */
  constructor(private readonly nowMs: () => number) {
    this.unknownKeys = new Memory(nowMs);
    this.throttledSources = new Memory(nowMs);
  }

  isUnknown(keyHash: Buffer): boolean {
    return this.unknownKeys.get(keyHash.toString('base64')) === true;
  }

  /** Never for suspended keys: they work again at once (ruling 13). */
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

/** Keeps values for REMEMBERED_MS. */
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
    this.entries.delete(key); // keeps the entries sorted by expiry
    this.entries.set(key, { value, untilMs: this.nowMs() + REMEMBERED_MS });
  }

  private removeExpired(): void {
    for (const [key, { untilMs }] of this.entries) {
      if (untilMs > this.nowMs()) return;
      this.entries.delete(key);
    }
  }
}
