import type { Database } from '../db/database';
import {
  findEventsAfter,
  findFeedsWithUnpositioned,
  hasUnpositioned,
  isLockTimeout,
  findLastPositioned,
  assignPositions,
  findPosition,
  type Feed,
  type FeedBounds,
  type FeedEvent,
} from '../db/repositories/event-feed';

/** The maximum of events that get positions in one transaction. */
const BATCH_SIZE = 1_000;
/** The time that one request spends on assigning positions, ms. */
const POSITIONING_TIMEOUT_MS = 3_000;
const MAX_FEEDS = 1_000;

/** A page of events. `nextAfter` is the id of its last event if more events follow, else null. */
export interface FeedPage {
  events: FeedEvent[];
  nextAfter: string | null;
}

/**
 * Reads the events of a feed that follow the event with the id `after`; null starts with the oldest. New events have no position until a
 * reader reaches them. Returns null if the feed does not contain `after`.
 */
export async function readFeed(database: Database, feed: Feed, after: string | null, bounds: FeedBounds): Promise<FeedPage | null> {
  let { position, hasWaiting, page } = await readFeedOnce(database, feed, after, bounds);
  if (position === null && after !== null) {
    await assignPosition(database, feed, after);
    ({ position, hasWaiting, page } = await readFeedOnce(database, feed, after, bounds));
  }
  if (position === undefined) return null;
  if (position === null) return { events: [], nextAfter: null }; // `after` has no position yet, so no event follows it
  if (hasWaiting && !page.isCut) {
    await assignFeedPositions(database, feed);
    page = await findEventsAfter(database, feed, after, bounds);
  }
  return { events: page.events, nextAfter: page.isCut ? (page.events.at(-1)?.id ?? null) : null };
}

async function readFeedOnce(database: Database, feed: Feed, after: string | null, bounds: FeedBounds) {
  const [position, hasWaiting, page] = await database.snapshot((sql) =>
    Promise.all([
      after === null ? 0 : findPosition(sql, feed, after),
      hasUnpositioned(sql, feed),
      findEventsAfter(sql, feed, after, bounds),
    ]),
  );
  return { position, hasWaiting, page };
}

/**
 * The id of a feed's newest event of any type, or null if the feed has none. Events without a position get one first, within the time
 * limit. Any that remain will follow the returned event, so a reader who continues from this id misses no event.
 */
export async function findLatestEventId(database: Database, feed: Feed): Promise<string | null> {
  const deadlineMs = performance.now() + POSITIONING_TIMEOUT_MS;
  while ((await hasUnpositioned(database, feed)) && performance.now() < deadlineMs)
    if ((await assignFeedPositions(database, feed)) === 0) break;
  return (await findLastPositioned(database, feed))?.id ?? null;
}

/** Assigns positions until the event has one, within the time limit. */
async function assignPosition(database: Database, feed: Feed, eventId: string): Promise<void> {
  const deadlineMs = performance.now() + POSITIONING_TIMEOUT_MS;
  while (performance.now() < deadlineMs && (await assignFeedPositions(database, feed)) > 0)
    if ((await findPosition(database, feed, eventId)) !== null) return;
}

/** Running assignments of this process, by database and feed. Concurrent readers share an assignment and need no connection to wait. */
const runningAssignments = new WeakMap<Database, Map<string, Promise<number>>>();

/** Assigns positions to all events committed before the call, within one transaction. Joins a running assignment of this process. */
async function assignFeedPositions(database: Database, feed: Feed): Promise<number> {
  const byFeed = runningAssignments.get(database) ?? new Map<string, Promise<number>>();
  runningAssignments.set(database, byFeed);
  const feedKey = `${feed.accountId}/${feed.environment}`;
  const previous = byFeed.get(feedKey);
  if (previous !== undefined) await previous.catch(() => 0); // it may have started before the newest events were committed
  const current = byFeed.get(feedKey);
  if (current !== undefined) return current;
  const assignment = tryAssignPositions(database, feed).finally(() => byFeed.delete(feedKey));
  byFeed.set(feedKey, assignment);
  return assignment;
}

/** Returns 0 if another process holds the feed's lock for long. The reader then gets the remaining events with its next request. */
async function tryAssignPositions(database: Database, feed: Feed): Promise<number> {
  try {
    return await database.transaction((sql) => assignPositions(sql, feed, BATCH_SIZE));
  } catch (error) {
    if (isLockTimeout(error)) return 0;
    throw error;
  }
}

/**
 * Assigns positions to events from before `before` that no reader has reached, so their first read is fast. Ends after `timeLimitMs`.
 * @returns the number of assigned positions
 */
export async function assignUnreadPositions(database: Database, before: Date, timeLimitMs: number, stop: AbortSignal): Promise<number> {
  const deadlineMs = performance.now() + timeLimitMs;
  let assigned = 0;
  for (const feed of await findFeedsWithUnpositioned(database, before, MAX_FEEDS)) {
    for (let count = BATCH_SIZE; count >= BATCH_SIZE && performance.now() < deadlineMs; assigned += count) {
      stop.throwIfAborted();
      count = await assignFeedPositions(database, feed);
    }
  }
  return assigned;
}
