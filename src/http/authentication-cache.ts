import { KeyedQueue } from '../runtime/keyed-queue';

const UNKNOWN_KEY_TTL_MS = 1_000;
const THROTTLED_SOURCE_TTL_MS = 1_000;
const KNOWN_KEY_TTL_MS = 600_000;
const MAX_ENTRIES = 10_000;

/**
 * Protects the database from floods of failed authentication. It only refuses keys. A request is admitted only by the stored rows. The
 * database counts the failures of each source.
 */
export class AuthenticationCache {
  /** Hashes of keys that do not exist. */
  private readonly unknownKeys: ExpiringCache<true>;
  /** Hashes of keys that were valid in the last ten minutes. */
  private readonly knownKeys: ExpiringCache<true>;
  /** The time when the throttling of each source ends, ms. */
  private readonly throttledSources: ExpiringCache<number>;
  /** Each source looks up one new key at a time. */
  private readonly lookUpQueue: KeyedQueue;

  /**
   * @param nowMs a monotonic clock
   * @param maxWaitMs how long a look-up waits for those before it
   */
  constructor(
    private readonly nowMs: () => number,
    maxWaitMs: number,
  ) {
    this.lookUpQueue = new KeyedQueue({ concurrency: 1, maxWaiting: 200, maxWaitMs });
    this.unknownKeys = new ExpiringCache(UNKNOWN_KEY_TTL_MS, nowMs);
    this.knownKeys = new ExpiringCache(KNOWN_KEY_TTL_MS, nowMs);
    this.throttledSources = new ExpiringCache(THROTTLED_SOURCE_TTL_MS, nowMs);
  }

  isUnknown(keyHash: Buffer): boolean {
    return this.unknownKeys.get(keyHash.toString('base64')) === true;
  }

  /** Not called for keys of suspended accounts, which must work again as soon as the suspension ends. */
  rememberUnknown(keyHash: Buffer): void {
    this.unknownKeys.set(keyHash.toString('base64'), true);
  }

  /** From now on, requests with this key do not wait for look-ups of new keys. */
  rememberKnown(keyHash: Buffer): void {
    this.knownKeys.set(keyHash.toString('base64'), true);
  }

  throttle(source: string, seconds: number): void {
    this.throttledSources.set(source, this.nowMs() + seconds * 1000);
  }

  /** Seconds until the source is no longer throttled, or 0. */
  secondsThrottled(source: string): number {
    return Math.max(0, Math.ceil(((this.throttledSources.get(source) ?? 0) - this.nowMs()) / 1000));
  }

  /** @throws QueueOverloaded when too many look-ups of the source wait */
  lookUp<T>(source: string, keyHash: Buffer, work: () => Promise<T>): Promise<T> {
    const isKnown = this.knownKeys.get(keyHash.toString('base64')) === true;
    return isKnown ? work() : this.lookUpQueue.run(source, work);
  }
}

class ExpiringCache<T> {
  private readonly entries = new Map<string, { value: T; untilMs: number }>();

  constructor(
    private readonly ttlMs: number,
    private readonly nowMs: () => number,
  ) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    return entry !== undefined && entry.untilMs > this.nowMs() ? entry.value : undefined;
  }

  set(key: string, value: T): void {
    this.removeExpired();
    if (this.entries.size >= MAX_ENTRIES) return;
    this.entries.delete(key); // keeps the entries sorted by expiry
    this.entries.set(key, { value, untilMs: this.nowMs() + this.ttlMs });
  }

  private removeExpired(): void {
    for (const [key, { untilMs }] of this.entries) {
      if (untilMs > this.nowMs()) return;
      this.entries.delete(key);
    }
  }
}
