export interface UnpositionedEvent {
  id: string;
  orderId: string;
  /** Within its order, from 1. */
  sequence: number;
  /** Within its sequence, from 0. */
  part: number;
  createdAt: Date;
}

/**
 * Returns the ids of events that can get a position now: sorted by time, and within an order by sequence. Clocks of machines differ, so an
 * event counts as no earlier than the previous events of its order. A locked event waits, together with the later events of its order
 * (ruling 61).
 * @param unpositioned all events without a position of each order, up to the last one
 */
export function inFeedOrder(unpositioned: readonly UnpositionedEvent[], unlocked: ReadonlySet<string>): string[] {
  const orders = new Map<string, UnpositionedEvent[]>();
  for (const event of unpositioned) orders.set(event.orderId, [...(orders.get(event.orderId) ?? []), event]);
  return [...orders.values()]
    .flatMap((events) => positionable(events, unlocked))
    .sort((a, b) => a.feedTimeMs - b.feedTimeMs || (a.orderId < b.orderId ? -1 : Number(a.orderId > b.orderId)) || bySequence(a, b))
    .map(({ id }) => id);
}

const bySequence = (a: UnpositionedEvent, b: UnpositionedEvent): number => a.sequence - b.sequence || a.part - b.part;

function positionable(eventsOfOrder: readonly UnpositionedEvent[], unlocked: ReadonlySet<string>) {
  const events = eventsOfOrder.toSorted(bySequence);
  const end = events.findIndex(({ id }) => !unlocked.has(id));
  let feedTimeMs = Number.NEGATIVE_INFINITY;
  return events.slice(0, end === -1 ? undefined : end).map((event) => {
    feedTimeMs = Math.max(feedTimeMs, event.createdAt.getTime());
    return { ...event, feedTimeMs };
  });
}
