import type { Database } from '../db/database';
import { lockAccount } from '../db/repositories/accounts';
import {
  markArtworkRemoved,
  findArtworkToRemove,
  countErasable,
  eraseExpiredQuotes,
  eraseOrders,
  markArtworkErased,
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

/** The number of erased records. If time ran out, `complete` is false and the same call continues. */
export interface ErasureResult extends ErasureCount {
  complete: boolean;
}

const ORDER_BATCH_SIZE = 50;
const QUOTE_BATCH_SIZE = 200;
const ARTWORK_BATCH_SIZE = 20;
/** Shorter than the client's connection timeout, ms. */
const TIME_LIMIT_MS = 20_000;

export function countErasableData({ database }: ErasureDeps, scope: ErasureScope): Promise<ErasureCount> {
  return database.transaction((sql) => countErasable(sql, scope));
}

/**
 * Erases the personal data of an account's orders that settled, and of quotes that expired unordered, before a time, and removes artwork
 * without other references. Works in small transactions: after an interruption the next call continues.
 */
export async function erase(deps: ErasureDeps, scope: ErasureScope): Promise<ErasureResult> {
  const deadlineMs = performance.now() + TIME_LIMIT_MS;
  let after = '';
  const orders = await repeatUntilDone(deadlineMs, ORDER_BATCH_SIZE, async () => {
    const ids = await eraseOrderBatch(deps, scope, after);
    after = ids.at(-1) ?? after;
    return ids.length;
  });
  const quotes = await repeatUntilDone(deadlineMs, QUOTE_BATCH_SIZE, () =>
    deps.database.transaction((sql) => eraseExpiredQuotes(sql, scope, QUOTE_BATCH_SIZE)),
  );
  if (!orders.done || !quotes.done) return { orders: orders.count, quotes: quotes.count, artwork: 0, complete: false };
  await deps.database.transaction((sql) => markArtworkErased(sql, scope.accountId, scope.now));
  const artwork = await repeatUntilDone(deadlineMs, ARTWORK_BATCH_SIZE, () => removeArtworkBatch(deps, scope.accountId));
  return { orders: orders.count, quotes: quotes.count, artwork: artwork.count, complete: artwork.done };
}

/** Repeats a step until it processes fewer records than `batchSize`, or the time is over. */
async function repeatUntilDone(
  deadlineMs: number,
  batchSize: number,
  runBatch: () => Promise<number>,
): Promise<{ count: number; done: boolean }> {
  for (let count = 0; ;) {
    if (performance.now() >= deadlineMs) return { count, done: false };
    const processed = await runBatch();
    count += processed;
    if (processed < batchSize) return { count, done: true };
  }
}

async function eraseOrderBatch({ database, mailer }: ErasureDeps, scope: ErasureScope, after: string): Promise<string[]> {
  return database.transaction(async (sql) => {
    await lockAccount(sql, scope.accountId); // before the orders, as every change of money (ruling 54)
    const ids = await eraseOrders(sql, scope, after, ORDER_BATCH_SIZE);
    for (const id of ids) await mailer.deleteCopy(confirmationMailId(id));
    return ids;
  });
}

/** Deletes the files before the rows. After a crash in between, the next call deletes the files again. */
async function removeArtworkBatch({ database, storage }: ErasureDeps, accountId: string): Promise<number> {
  const removable = await findArtworkToRemove(database, accountId, ARTWORK_BATCH_SIZE);
  for (const { storage_key: key } of removable) await storage.remove(key);
  const ids = removable.map(({ id }) => id);
  await markArtworkRemoved(database, ids);
  return removable.length;
}
