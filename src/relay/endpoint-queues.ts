import pLimit from 'p-limit';
import type { ClaimCapacity } from '../db/repositories/relay';
import { KeyedQueue } from '../runtime/keyed-queue';
import type { LeasedDelivery } from './attempt';

/** Limits of concurrent attempts to fast, slow and unknown endpoints. The limits are separate, so slow endpoints cannot block fast ones. */
const MAX_IN_FLIGHT = { fast: 256, slow: 96, unknown: 96 };
/** Above this number of attempts to unknown endpoints, each unknown endpoint gets one attempt until it has answered. */
const UNKNOWN_THRESHOLD = 32;
/** How many deliveries are claimed in advance for a fast endpoint, and for a slow or unknown one. */
const CLAIM_AHEAD_FAST = 48;
const CLAIM_AHEAD = 4;
const MAX_FAST_MS = 500;
const MAX_CLAIM = 400;
/** The number of endpoints whose last result is kept. */
const MAX_REMEMBERED_ENDPOINTS = 10_000;

/** Concurrent attempts for each endpoint, first attempts and retries together. */
export const ATTEMPTS_PER_ENDPOINT = 4;

type EndpointSpeed = keyof typeof MAX_IN_FLIGHT;

/**
 * Runs each endpoint's attempts in order, a few at a time, within the limit of the endpoint's speed. Claims only a few deliveries in
 * advance for slow endpoints, so they do not delay others.
 */
export class EndpointQueues {
  private readonly limits = { fast: pLimit(MAX_IN_FLIGHT.fast), slow: pLimit(MAX_IN_FLIGHT.slow), unknown: pLimit(MAX_IN_FLIGHT.unknown) };
  /** First attempts only, not retries. */
  private readonly firstAttempts = new KeyedQueue({ concurrency: ATTEMPTS_PER_ENDPOINT });
  /** By endpoint, oldest first. */
  private readonly waiting = new Map<string, LeasedDelivery[]>();
  /** Endpoints that had more unclaimed deliveries at the last claim. */
  private readonly hasMore = new Set<string>();
  /** The oldest running attempt to each unknown endpoint. */
  private readonly oldestAttempts = new Map<string, Promise<void>>();
  /** The speed of each endpoint's last attempt, least recently used first. */
  private readonly speeds = new Map<string, EndpointSpeed>();

  /**
   * @param attemptQueue shared with retries
   * @param work makes one attempt; must not reject
   * @param claimMore called when an endpoint has capacity and unclaimed deliveries
   */
  constructor(
    private readonly attemptQueue: KeyedQueue,
    private readonly work: (leased: LeasedDelivery) => Promise<void>,
    private readonly claimMore: () => void,
  ) {}

  capacity(): ClaimCapacity {
    const ids = new Set([...this.firstAttempts.keys(), ...this.hasMore]);
    return { endpoints: [...ids].map((id) => ({ id, capacity: this.capacityOf(id) })), defaultCapacity: CLAIM_AHEAD, maxTotal: MAX_CLAIM };
  }

  /** Adds claimed deliveries; `requested` is the capacity at the time of the claim. */
  add(claimed: readonly LeasedDelivery[], requested: ClaimCapacity): void {
    const counts = new Map<string, number>();
    for (const { delivery } of claimed) counts.set(delivery.endpoint_id, (counts.get(delivery.endpoint_id) ?? 0) + 1);
    const requestedById = new Map(requested.endpoints.map(({ id, capacity: requestedCount }) => [id, requestedCount]));
    const isFull = claimed.length >= requested.maxTotal;
    for (const id of new Set([...requestedById.keys(), ...counts.keys()])) {
      const requestedCount = requestedById.get(id) ?? requested.defaultCapacity;
      if (isFull || (requestedCount > 0 && (counts.get(id) ?? 0) >= requestedCount)) this.hasMore.add(id);
      else if (requestedCount > 0) this.hasMore.delete(id);
    }
    for (const leased of claimed) {
      const id = leased.delivery.endpoint_id;
      this.waiting.set(id, [...(this.waiting.get(id) ?? []), leased]);
      // oxlint-disable-next-line typescript/no-floating-promises -- runs in the background; `work` does not reject
      this.run(id);
    }
  }

  /** Starts no more attempts. @returns the claimed deliveries that were not started */
  stop(): LeasedDelivery[] {
    const unstarted = [...this.waiting.values()].flat();
    this.waiting.clear();
    return unstarted;
  }

  get attemptsInFlight(): number {
    return this.limits.fast.activeCount + this.limits.slow.activeCount + this.limits.unknown.activeCount;
  }

  private async run(id: string): Promise<void> {
    await this.firstAttempts.run(id, () => this.enqueue(id));
    const capacity = this.capacityOf(id);
    const hasCapacity = this.speedOf(id) === 'fast' ? capacity * 2 >= CLAIM_AHEAD_FAST : capacity > 0;
    if (this.hasMore.has(id) && hasCapacity) this.claimMore();
  }

  private async enqueue(id: string): Promise<void> {
    const oldestAttempt = this.oldestAttempts.get(id);
    const { activeCount, pendingCount } = this.limits.unknown;
    if (oldestAttempt !== undefined && activeCount + pendingCount >= UNKNOWN_THRESHOLD) await oldestAttempt;
    const speed = this.speedOf(id);
    const attempt = this.attemptQueue.run(id, () => this.limits[speed](() => this.start(id)));
    if (speed === 'unknown' && oldestAttempt === undefined) this.oldestAttempts.set(id, attempt);
    await attempt;
  }

  /** Starts the endpoint's oldest delivery, and remembers how fast the endpoint answered. */
  private async start(id: string): Promise<void> {
    const waiting = this.waiting.get(id) ?? [];
    const leased = waiting.shift();
    if (leased === undefined) return; // returned by `stop`
    if (waiting.length === 0) this.waiting.delete(id);
    const startedMs = performance.now();
    await this.work(leased);
    this.oldestAttempts.delete(id);
    this.rememberSpeed(id, performance.now() - startedMs < MAX_FAST_MS ? 'fast' : 'slow');
  }

  private speedOf(id: string): EndpointSpeed {
    return this.speeds.get(id) ?? 'unknown';
  }

  /** How many more deliveries may be claimed for the endpoint. */
  private capacityOf(id: string): number {
    return Math.max(0, (this.speedOf(id) === 'fast' ? CLAIM_AHEAD_FAST : CLAIM_AHEAD) - this.firstAttempts.size(id));
  }

  private rememberSpeed(id: string, speed: EndpointSpeed): void {
    this.speeds.delete(id);
    this.speeds.set(id, speed);
    const [oldestId] = this.speeds.keys();
    if (this.speeds.size > MAX_REMEMBERED_ENDPOINTS && oldestId !== undefined) this.speeds.delete(oldestId);
  }
}
