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

/** Events that get their places in one transaction. */
const BATCH_SIZE = 1_000;
/** How long one request lines up what is before the event it names, ms. */
const POSITIONING_TIMEOUT_MS = 3_000;
const MAX_FEEDS = 1_000;

/** Events up to the bounds; `nextAfter` is the id to read on from, null where there is no more for now. */
export interface FeedPage {
  events: FeedEvent[];
  nextAfter: string | null;
}

/**
 * The events of a feed behind the one with the id `after`, which is any that was ever told; null: from the oldest. What waits for a place
 * gets one when the reader comes to it. Null where the feed has no such event.
 */
export async function readFeed(database: Database, feed: Feed, after: string | null, bounds: FeedBounds): Promise<FeedPage | null> {
  const position = after === null ? 0 : await findOrAssignPosition(database, feed, after);
  if (position === undefined) return null;
  if (position === null) return { events: [], nextAfter: null }; // it waits itself, so nothing is behind it yet
  const hasWaiting = await hasUnpositioned(database, feed); // asked first: what another reader lines up meanwhile is found below
  let page = await findEventsAfter(database, feed, position, bounds);
  if (hasWaiting && !page.isCut) {
    await assignFeedPositions(database, feed);
    page = await findEventsAfter(database, feed, position, bounds);
  }
  return { events: page.events, nextAfter: page.isCut ? (page.events.at(-1)?.id ?? null) : null };
}

/**
 * The id of the newest event of a feed, null where it has none. All that waits gets its place first, as far as the time allows; an event
 * without a place comes behind this one, so a reader who goes on from it misses nothing.
 */
export async function findLatestEventId(database: Database, feed: Feed): Promise<string | null> {
  const deadlineMs = performance.now() + POSITIONING_TIMEOUT_MS;
  while ((await hasUnpositioned(database, feed)) && performance.now() < deadlineMs)
    if ((await assignFeedPositions(database, feed)) === 0) break;
  return (await findLastPositioned(database, feed))?.id ?? null;
}

async function findOrAssignPosition(database: Database, feed: Feed, eventId: string): Promise<number | null | undefined> {
  const deadlineMs = performance.now() + POSITIONING_TIMEOUT_MS;
  let position = await findPosition(database, feed, eventId);
  while (position === null && performance.now() < deadlineMs && (await assignFeedPositions(database, feed)) > 0)
    position = await findPosition(database, feed, eventId);
  return position;
}

/** What lines up in this process now, by database and feed: who comes meanwhile waits here, and not for a connection each. */
const runningAssignments = new WeakMap<Database, Map<string, Promise<number>>>();

/** Lines up all that was committed before it was called, as far as one transaction goes; joins what others in this process ask for. */
async function assignFeedPositions(database: Database, feed: Feed): Promise<number> {
  const byFeed = runningAssignments.get(database) ?? new Map<string, Promise<number>>();
  runningAssignments.set(database, byFeed);
  const feedKey = `${feed.accountId}/${feed.environment}`;
  const previous = byFeed.get(feedKey);
  if (previous !== undefined) await previous.catch(() => 0); // it may have looked before our events were there
  const current = byFeed.get(feedKey);
  if (current !== undefined) return current;
  const assignment = tryAssignPositions(database, feed).finally(() => byFeed.delete(feedKey));
  byFeed.set(feedKey, assignment);
  return assignment;
}

/**
 * Where another process has the feed's lock for long, none gets a place now: who reads is told what has one, and reads the rest the next
 * time.
 */
async function tryAssignPositions(database: Database, feed: Feed): Promise<number> {
  try {
    return await database.transaction((sql) => assignPositions(sql, feed, BATCH_SIZE));
  } catch (error) {
    if (isLockTimeout(error)) return 0;
    throw error;
  }
}

/**
 * Gives places to the events from before `before` that nobody has read, so that a feed which is read late is not slow at first; ends after
 * `timeLimitMs`. @returns how many got one
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
