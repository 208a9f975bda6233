import pLimit from 'p-limit';
import type { ClaimCapacity } from '../db/repositories/relay';
import { KeyedQueue } from '../runtime/keyed-queue';
import type { LeasedDelivery } from './attempt';

/**
 * Attempts in flight to endpoints that answer promptly, to slow ones, and to those that have not answered yet. Those that answer promptly
 * always find room.
 */
const MAX_IN_FLIGHT = { fast: 256, slow: 96, unknown: 96 };
/** While so many attempts to unknown endpoints are in flight, each of these endpoints gets one until it has answered. */
const UNKNOWN_THRESHOLD = 32;
/** What is claimed ahead for an endpoint that answers promptly, and for any other. */
const CLAIM_AHEAD_FAST = 48;
const CLAIM_AHEAD = 4;
const MAX_FAST_MS = 500;
const MAX_CLAIM = 400;
/** Endpoints whose last attempt is remembered. */
const MAX_REMEMBERED_ENDPOINTS = 10_000;

/** Attempts in flight per endpoint, of the relay and of retries together. */
export const ATTEMPTS_PER_ENDPOINT = 4;

type EndpointSpeed = keyof typeof MAX_IN_FLIGHT;

/**
 * Each endpoint's attempts run in order, a few at a time, within the lane of its kind. An endpoint that hangs or floods delays no other:
 * little is claimed ahead for the slow, and the lanes share no room.
 */
export class EndpointQueues {
  private readonly limits = { fast: pLimit(MAX_IN_FLIGHT.fast), slow: pLimit(MAX_IN_FLIGHT.slow), unknown: pLimit(MAX_IN_FLIGHT.unknown) };
  /** Without retries. */
  private readonly firstAttempts = new KeyedQueue({ concurrency: ATTEMPTS_PER_ENDPOINT });
  /** By endpoint, the oldest first. */
  private readonly waiting = new Map<string, LeasedDelivery[]>();
  /** Endpoints for which the last claim left rows behind. */
  private readonly hasMore = new Set<string>();
  /** The oldest attempt in flight to each unknown endpoint. */
  private readonly oldestAttempts = new Map<string, Promise<void>>();
  /** How its last attempt went, the longest untouched first. */
  private readonly speeds = new Map<string, EndpointSpeed>();

  /**
   * @param attemptQueue shared with retries
   * @param work one attempt; must not reject
   * @param claimMore called when an endpoint has room and unclaimed deliveries
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

  /** Takes claimed deliveries; `asked` is what `rooms` said when they were claimed. */
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
      // oxlint-disable-next-line typescript/no-floating-promises -- the lanes go on meanwhile; `work` does not reject
      this.run(id);
    }
  }

  /** Starts no more. @returns what was claimed and not begun */
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

  /** Begins the endpoint's oldest, because its kind may have changed while others of its attempts wait in another lane. */
  private async start(id: string): Promise<void> {
    const waiting = this.waiting.get(id) ?? [];
    const leased = waiting.shift();
    if (leased === undefined) return; // given back by `stop`
    if (waiting.length === 0) this.waiting.delete(id);
    const startedMs = performance.now();
    await this.work(leased);
    this.oldestAttempts.delete(id);
    this.rememberSpeed(id, performance.now() - startedMs < MAX_FAST_MS ? 'fast' : 'slow');
  }

  private speedOf(id: string): EndpointSpeed {
    return this.speeds.get(id) ?? 'unknown';
  }

  /** How many more may be claimed for the endpoint. */
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
