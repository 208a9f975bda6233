export interface UnpositionedEvent {
  id: string;
  orderId: string;
  /** Within its order, from 1. */
  sequence: number;
  createdAt: Date;
}

/**
 * The ids that can get a place now, in order: by time, and within an order by sequence. Clocks of two machines differ, so an event's time
 * is at least that of the earlier events of its order. A locked event waits, with the later events of its order (ruling 61).
 * @param unpositioned all waiting events of each order, up to the last one
 */
export function inFeedOrder(unpositioned: readonly UnpositionedEvent[], unlocked: ReadonlySet<string>): string[] {
  const orders = new Map<string, UnpositionedEvent[]>();
  for (const event of unpositioned) orders.set(event.orderId, [...(orders.get(event.orderId) ?? []), event]);
  return [...orders.values()]
    .flatMap((events) => positionable(events, unlocked))
    .sort((a, b) => a.toldAtMs - b.toldAtMs || (a.orderId < b.orderId ? -1 : Number(a.orderId > b.orderId)) || a.sequence - b.sequence)
    .map(({ id }) => id);
}

function positionable(eventsOfOrder: readonly UnpositionedEvent[], unlocked: ReadonlySet<string>) {
  const events = eventsOfOrder.toSorted((a, b) => a.sequence - b.sequence);
  const end = events.findIndex(({ id }) => !unlocked.has(id));
  let feedTimeMs = Number.NEGATIVE_INFINITY;
  return events.slice(0, end === -1 ? undefined : end).map((event) => {
    feedTimeMs = Math.max(feedTimeMs, event.createdAt.getTime());
    return { ...event, toldAtMs: feedTimeMs };
  });
}
