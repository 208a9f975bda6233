import type { InFlightLimit } from '../domain/in-flight';
import type { Rooms } from '../db/repositories/relay';
import type { Leased } from './attempt';

/**
 * Attempts in flight in all, and how many of those the slow endpoints and the unknown ones may have together, so that those which answer
 * promptly always find room. Where many are unknown, each gets one attempt until it has shown whether it is slow.
 */
const IN_FLIGHT = 256;
const IN_FLIGHT_OF = { fast: IN_FLIGHT, slow: 96, unknown: 96 };
const MANY_UNKNOWN = 32;
/** What is claimed ahead for an endpoint that answers promptly, and for one we know nothing of or that is slow. */
const AHEAD_FAST = 48;
const AHEAD = 4;
const FAST_MS = 500;
const CLAIMED_AT_ONCE = 400;
/** Endpoints whose last attempt is remembered. */
const REMEMBERED = 10_000;

type Kind = 'fast' | 'slow' | 'unknown';

interface Lane {
  queue: Leased[];
  inFlight: number;
  /** The last claim left rows behind. */
  hasMore: boolean;
}

/**
 * One queue for each endpoint, so that one that hangs, drips or floods takes nothing from the others: each has a few attempts at a time,
 * little is claimed ahead for the slow, and part of the room is kept from them.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();
  private readonly withoutRoom = new Set<string>();
  /** How its last attempt went, the longest untouched first. */
  private readonly kinds = new Map<string, Kind>();
  private readonly inFlightOf: Record<Kind, number> = { fast: 0, slow: 0, unknown: 0 };
  private stopped = false;

  /**
   * @param limit attempts in flight per endpoint, shared with retries
   * @param work one attempt; must not reject
   * @param hungry told when an endpoint has room for more than is claimed
   */
  constructor(
    private readonly limit: InFlightLimit,
    private readonly work: (leased: Leased) => Promise<void>,
    private readonly hungry: () => void,
  ) {
    limit.onRoom((id) => this.pump(id));
  }

  rooms(): Rooms {
    const endpoints = [...this.lanes].map(([id, lane]) => ({
      id,
      room: Math.max(0, this.aheadOf(id) - lane.queue.length - lane.inFlight),
    }));
    return { endpoints, elsewhere: AHEAD, most: CLAIMED_AT_ONCE };
  }

  /** Takes claimed deliveries; `asked` is what `rooms` said when they were claimed. */
  add(claimed: readonly Leased[], asked: Rooms): void {
    const counts = new Map<string, number>();
    for (const leased of claimed) {
      const id = leased.delivery.endpoint_id;
      this.lane(id).queue.push(leased);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    const rooms = new Map(asked.endpoints.map(({ id, room }) => [id, room]));
    const full = claimed.length >= asked.most;
    for (const [id, lane] of this.lanes)
      lane.hasMore =
        full || (counts.get(id) ?? 0) >= Math.max(1, rooms.get(id) ?? asked.elsewhere) || ((rooms.get(id) ?? 1) === 0 && lane.hasMore);
    for (const id of counts.keys()) this.pump(id);
  }

  /** Starts no more. @returns what was claimed and not begun */
  stop(): Leased[] {
    this.stopped = true;
    return [...this.lanes.values()].flatMap((lane) => lane.queue.splice(0));
  }

  get attemptsInFlight(): number {
    return this.inFlightOf.fast + this.inFlightOf.slow + this.inFlightOf.unknown;
  }

  private lane(id: string): Lane {
    let lane = this.lanes.get(id);
    if (lane === undefined) this.lanes.set(id, (lane = { queue: [], inFlight: 0, hasMore: false }));
    return lane;
  }

  private pump(id: string): void {
    const lane = this.lanes.get(id);
    if (lane === undefined) return;
    while (!this.stopped && lane.queue.length > 0 && this.limit.room(id) > 0) {
      if (!this.hasRoom(id, lane)) {
        this.withoutRoom.add(id);
        break;
      }
      this.limit.take(id);
      // oxlint-disable-next-line typescript/no-floating-promises -- the lanes go on meanwhile; `work` does not reject
      this.run(id, lane, lane.queue.shift() as Leased);
    }
    const ahead = this.aheadOf(id);
    if (lane.hasMore && lane.queue.length * 2 <= ahead && lane.queue.length + lane.inFlight < ahead) this.hungry();
    if (lane.queue.length === 0 && lane.inFlight === 0 && !lane.hasMore) this.lanes.delete(id);
  }

  private kindOf(id: string): Kind {
    return this.kinds.get(id) ?? 'unknown';
  }

  private aheadOf(id: string): number {
    return this.kindOf(id) === 'fast' ? AHEAD_FAST : AHEAD;
  }

  private hasRoom(id: string, lane: Lane): boolean {
    const kind = this.kindOf(id);
    if (kind === 'unknown' && lane.inFlight > 0 && this.inFlightOf.unknown >= MANY_UNKNOWN) return false;
    return this.attemptsInFlight < IN_FLIGHT && this.inFlightOf[kind] < IN_FLIGHT_OF[kind];
  }

  private async run(id: string, lane: Lane, leased: Leased): Promise<void> {
    const startedMs = performance.now();
    const kind = this.kindOf(id);
    lane.inFlight += 1;
    this.inFlightOf[kind] += 1;
    await this.work(leased);
    lane.inFlight -= 1;
    this.inFlightOf[kind] -= 1;
    this.remember(id, performance.now() - startedMs < FAST_MS ? 'fast' : 'slow');
    this.limit.leave(id); // pumps
    const waiting = [...this.withoutRoom];
    this.withoutRoom.clear();
    for (const other of waiting) this.pump(other);
  }

  private remember(id: string, kind: Kind): void {
    this.kinds.delete(id);
    this.kinds.set(id, kind);
    const [oldest] = this.kinds.keys();
    if (this.kinds.size > REMEMBERED && oldest !== undefined) this.kinds.delete(oldest);
  }
}
