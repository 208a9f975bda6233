import type { Database } from '../db/database';
import { lockAccount } from '../db/repositories/accounts';
import {
  artworkRemoved,
  artworkToRemove,
  countErasable,
  eraseExpiredQuotes,
  eraseOrders,
  giveUpArtwork,
  type ErasureCount,
  type ErasureScope,
} from '../db/repositories/erasure';
import type { Mailer } from '../mail';
import { confirmationMailId } from '../mail/confirmation';
import type { ArtworkStorage } from '../storage';

export interface ErasureDeps {
  database: Database;
  storage: ArtworkStorage;
  mailer: Mailer;
}

/** What was erased; not complete where time ran out: the same call goes on. */
export interface Erased extends ErasureCount {
  complete: boolean;
}

const ORDERS_AT_ONCE = 50;
const QUOTES_AT_ONCE = 200;
const ARTWORK_AT_ONCE = 20;
/** Ends before the caller's connection would be cut, ms. */
const TIME_LIMIT_MS = 20_000;

export function countErasableOf({ database }: ErasureDeps, scope: ErasureScope): Promise<ErasureCount> {
  return database.transaction((sql) => countErasable(sql, scope));
}

/**
 * Replaces the personal data of an account's settled orders placed, and quotes expired unordered, before a time, and removes artwork
 * that nothing else names. A few at a time, each few in a transaction of its own: whatever interrupts it, the next call finds the rest.
 */
export async function erase(deps: ErasureDeps, scope: ErasureScope): Promise<Erased> {
  const untilMs = performance.now() + TIME_LIMIT_MS;
  let after = '';
  const orders = await repeatedly(untilMs, ORDERS_AT_ONCE, async () => {
    const ids = await eraseSomeOrders(deps, scope, after);
    after = ids.at(-1) ?? after;
    return ids.length;
  });
  const quotes = await repeatedly(untilMs, QUOTES_AT_ONCE, () =>
    deps.database.transaction((sql) => eraseExpiredQuotes(sql, scope, QUOTES_AT_ONCE)),
  );
  if (!orders.done || !quotes.done) return { orders: orders.count, quotes: quotes.count, artwork: 0, complete: false };
  await deps.database.transaction((sql) => giveUpArtwork(sql, scope.accountId, scope.now));
  const artwork = await repeatedly(untilMs, ARTWORK_AT_ONCE, () => removeSomeArtwork(deps, scope.accountId));
  return { orders: orders.count, quotes: quotes.count, artwork: artwork.count, complete: artwork.done };
}

/** Until there were fewer than `full` left, or the time is over. */
async function repeatedly(untilMs: number, full: number, some: () => Promise<number>): Promise<{ count: number; done: boolean }> {
  for (let count = 0; ;) {
    if (performance.now() >= untilMs) return { count, done: false };
    const more = await some();
    count += more;
    if (more < full) return { count, done: true };
  }
}

async function eraseSomeOrders({ database, mailer }: ErasureDeps, scope: ErasureScope, after: string): Promise<string[]> {
  return database.transaction(async (sql) => {
    await lockAccount(sql, scope.accountId); // before the orders, as each change of money does (ruling 54)
    const ids = await eraseOrders(sql, scope, after, ORDERS_AT_ONCE);
    for (const id of ids) await mailer.forget(confirmationMailId(id));
    return ids;
  });
}

/** The bytes first: where we die between the two, they are removed again. */
async function removeSomeArtwork({ database, storage }: ErasureDeps, accountId: string): Promise<number> {
  const given = await artworkToRemove(database, accountId, ARTWORK_AT_ONCE);
  for (const { storage_key: key } of given) await storage.remove(key);
  const ids = given.map(({ id }) => id);
  await artworkRemoved(database, ids);
  return given.length;
}
