import type { Database } from '../db/database';
import {
  eventsBehind,
  feedsWaiting,
  isAnyWaiting,
  isLockTimeout,
  lastPlaced,
  lineUpWaiting,
  placeOf,
  type Feed,
  type FeedBounds,
  type ToldEvent,
} from '../db/repositories/event-feed';

/** Events that get their places in one transaction. */
const AT_ONCE = 1_000;
/** How long one request lines up what is before the event it names, ms. */
const PATIENCE_MS = 3_000;
const FEEDS_AT_ONCE = 1_000;

/** Events up to the bounds; `nextAfter` is the id to read on from, null where there is no more for now. */
export interface FeedPage {
  events: ToldEvent[];
  nextAfter: string | null;
}

/**
 * The events of a feed behind the one with the id `after`, which is any that was ever told; null: from the oldest. What waits for a place
 * gets one when the reader comes to it. Null where the feed has no such event.
 */
export async function readFeed(database: Database, feed: Feed, after: string | null, bounds: FeedBounds): Promise<FeedPage | null> {
  const place = after === null ? 0 : await placeLinedUp(database, feed, after);
  if (place === undefined) return null;
  if (place === null) return { events: [], nextAfter: null }; // it waits itself, so nothing is behind it yet
  const isWaiting = await isAnyWaiting(database, feed); // asked first: what another reader lines up meanwhile is found below
  let found = await eventsBehind(database, feed, place, bounds);
  if (isWaiting && !found.isCut) {
    await lineUp(database, feed);
    found = await eventsBehind(database, feed, place, bounds);
  }
  return { events: found.events, nextAfter: found.isCut ? (found.events.at(-1)?.id ?? null) : null };
}

/**
 * The id of the newest event of a feed, null where it has none. All that waits gets its place first, as far as the time allows; an event
 * without a place comes behind this one, so a reader who goes on from it misses nothing.
 */
export async function latestInFeed(database: Database, feed: Feed): Promise<string | null> {
  const untilMs = performance.now() + PATIENCE_MS;
  while ((await isAnyWaiting(database, feed)) && performance.now() < untilMs) if ((await lineUp(database, feed)) === 0) break;
  return (await lastPlaced(database, feed))?.id ?? null;
}

async function placeLinedUp(database: Database, feed: Feed, eventId: string): Promise<number | null | undefined> {
  const untilMs = performance.now() + PATIENCE_MS;
  let place = await placeOf(database, feed, eventId);
  while (place === null && performance.now() < untilMs && (await lineUp(database, feed)) > 0)
    place = await placeOf(database, feed, eventId);
  return place;
}

/** What lines up in this process now, by database and feed: who comes meanwhile waits here, and not for a connection each. */
const underWay = new WeakMap<Database, Map<string, Promise<number>>>();

/** Lines up all that was committed before it was called, as far as one transaction goes; joins what others in this process ask for. */
async function lineUp(database: Database, feed: Feed): Promise<number> {
  const ofDatabase = underWay.get(database) ?? new Map<string, Promise<number>>();
  underWay.set(database, ofDatabase);
  const name = `${feed.accountId}/${feed.environment}`;
  const before = ofDatabase.get(name);
  if (before !== undefined) await before.catch(() => 0); // it may have looked before our events were there
  const joined = ofDatabase.get(name);
  if (joined !== undefined) return joined;
  const mine = lineUpOnce(database, feed).finally(() => ofDatabase.delete(name));
  ofDatabase.set(name, mine);
  return mine;
}

/**
 * Where another process has the feed's lock for long, none gets a place now: who reads is told what has one, and reads the rest the next
 * time.
 */
async function lineUpOnce(database: Database, feed: Feed): Promise<number> {
  try {
    return await database.transaction((sql) => lineUpWaiting(sql, feed, AT_ONCE));
  } catch (error) {
    if (isLockTimeout(error)) return 0;
    throw error;
  }
}

/**
 * Gives places to the events from before `before` that nobody has read, so that a feed which is read late is not slow at first; ends after
 * `timeLimitMs`. @returns how many got one
 */
export async function lineUpUnread(database: Database, before: Date, timeLimitMs: number, stop: AbortSignal): Promise<number> {
  const untilMs = performance.now() + timeLimitMs;
  let lined = 0;
  for (const feed of await feedsWaiting(database, before, FEEDS_AT_ONCE)) {
    for (let some = AT_ONCE; some >= AT_ONCE && performance.now() < untilMs; lined += some) {
      stop.throwIfAborted();
      some = await lineUp(database, feed);
    }
  }
  return lined;
}
