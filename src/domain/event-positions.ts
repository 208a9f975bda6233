export interface UnpositionedEvent {
  id: string;
  orderId: string;
  /** Within its order, from 1. */
  sequence: number;
  createdAt: Date;
}

/**
 * The ids of those that can be placed now, in the order of their places: by time, and those of one order by their sequence. Clocks of two
 * machines differ, so an event counts as told no sooner than the ones of its order before it. One that is not `free` waits, and with it
 * the later ones of its order (ruling 61).
 * @param unpositioned of each order all that wait, up to the last of them
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
