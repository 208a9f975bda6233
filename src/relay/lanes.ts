import pLimit from 'p-limit';
import type { Rooms } from '../db/repositories/relay';
import { KeyedQueue } from '../runtime/keyed-queue';
import type { Leased } from './attempt';

/**
 * Attempts in flight to endpoints that answer promptly, to slow ones, and to those that have not answered yet. Those that answer promptly
 * always find room.
 */
const IN_FLIGHT = { fast: 256, slow: 96, unknown: 96 };
/** While so many attempts to unknown endpoints are in flight, each of these endpoints gets one until it has answered. */
const MANY_UNKNOWN = 32;
/** What is claimed ahead for an endpoint that answers promptly, and for any other. */
const AHEAD_FAST = 48;
const AHEAD = 4;
const FAST_MS = 500;
const CLAIMED_AT_ONCE = 400;
/** Endpoints whose last attempt is remembered. */
const REMEMBERED = 10_000;

/** Attempts in flight per endpoint, of the relay and of retries together. */
export const ATTEMPTS_PER_ENDPOINT = 4;

type Kind = keyof typeof IN_FLIGHT;

/**
 * Each endpoint's attempts run in order, a few at a time, within the lane of its kind. An endpoint that hangs or floods delays no other:
 * little is claimed ahead for the slow, and the lanes share no room.
 */
export class Lanes {
  private readonly lanes = { fast: pLimit(IN_FLIGHT.fast), slow: pLimit(IN_FLIGHT.slow), unknown: pLimit(IN_FLIGHT.unknown) };
  /** Without retries. */
  private readonly firstAttempts = new KeyedQueue({ concurrency: ATTEMPTS_PER_ENDPOINT });
  /** By endpoint, the oldest first. */
  private readonly waiting = new Map<string, Leased[]>();
  /** Endpoints for which the last claim left rows behind. */
  private readonly hasMore = new Set<string>();
  /** The oldest attempt in flight to each unknown endpoint. */
  private readonly oldest = new Map<string, Promise<void>>();
  /** How its last attempt went, the longest untouched first. */
  private readonly kinds = new Map<string, Kind>();

  /**
   * @param attempts shared with retries
   * @param work one attempt; must not reject
   * @param claimMore called when an endpoint has room and unclaimed deliveries
   */
  constructor(
    private readonly attempts: KeyedQueue,
    private readonly work: (leased: Leased) => Promise<void>,
    private readonly claimMore: () => void,
  ) {}

  rooms(): Rooms {
    const ids = new Set([...this.firstAttempts.keys(), ...this.hasMore]);
    return { endpoints: [...ids].map((id) => ({ id, room: this.roomOf(id) })), defaultRoom: AHEAD, most: CLAIMED_AT_ONCE };
  }

  /** Takes claimed deliveries; `asked` is what `rooms` said when they were claimed. */
  add(claimed: readonly Leased[], asked: Rooms): void {
    const counts = new Map<string, number>();
    for (const { delivery } of claimed) counts.set(delivery.endpoint_id, (counts.get(delivery.endpoint_id) ?? 0) + 1);
    const rooms = new Map(asked.endpoints.map(({ id, room }) => [id, room]));
    const isFull = claimed.length >= asked.most;
    for (const id of new Set([...rooms.keys(), ...counts.keys()])) {
      const room = rooms.get(id) ?? asked.defaultRoom;
      if (isFull || (room > 0 && (counts.get(id) ?? 0) >= room)) this.hasMore.add(id);
      else if (room > 0) this.hasMore.delete(id);
    }
    for (const leased of claimed) {
      const id = leased.delivery.endpoint_id;
      this.waiting.set(id, [...(this.waiting.get(id) ?? []), leased]);
      // oxlint-disable-next-line typescript/no-floating-promises -- the lanes go on meanwhile; `work` does not reject
      this.run(id);
    }
  }

  /** Starts no more. @returns what was claimed and not begun */
  stop(): Leased[] {
    const left = [...this.waiting.values()].flat();
    this.waiting.clear();
    return left;
  }

  get attemptsInFlight(): number {
    return this.lanes.fast.activeCount + this.lanes.slow.activeCount + this.lanes.unknown.activeCount;
  }

  private async run(id: string): Promise<void> {
    await this.firstAttempts.run(id, () => this.enterLane(id));
    const room = this.roomOf(id);
    const hasRoom = this.kindOf(id) === 'fast' ? room * 2 >= AHEAD_FAST : room > 0;
    if (this.hasMore.has(id) && hasRoom) this.claimMore();
  }

  private async enterLane(id: string): Promise<void> {
    const oldest = this.oldest.get(id);
    const { activeCount, pendingCount } = this.lanes.unknown;
    if (oldest !== undefined && activeCount + pendingCount >= MANY_UNKNOWN) await oldest;
    const kind = this.kindOf(id);
    const attempt = this.attempts.run(id, () => this.lanes[kind](() => this.begin(id)));
    if (kind === 'unknown' && oldest === undefined) this.oldest.set(id, attempt);
    await attempt;
  }

  /** Begins the endpoint's oldest, because its kind may have changed while others of its attempts wait in another lane. */
  private async begin(id: string): Promise<void> {
    const waiting = this.waiting.get(id) ?? [];
    const leased = waiting.shift();
    if (leased === undefined) return; // given back by `stop`
    if (waiting.length === 0) this.waiting.delete(id);
    const startedMs = performance.now();
    await this.work(leased);
    this.oldest.delete(id);
    this.remember(id, performance.now() - startedMs < FAST_MS ? 'fast' : 'slow');
  }

  private kindOf(id: string): Kind {
    return this.kinds.get(id) ?? 'unknown';
  }

  /** How many more may be claimed for the endpoint. */
  private roomOf(id: string): number {
    return Math.max(0, (this.kindOf(id) === 'fast' ? AHEAD_FAST : AHEAD) - this.firstAttempts.size(id));
  }

  private remember(id: string, kind: Kind): void {
    this.kinds.delete(id);
    this.kinds.set(id, kind);
    const [oldest] = this.kinds.keys();
    if (this.kinds.size > REMEMBERED && oldest !== undefined) this.kinds.delete(oldest);
  }
}
