import type { Database } from '../db/database';
import { lockAccount } from '../db/repositories/accounts';
import {
  markArtworkFilesDeleted,
  findArtworkToRemove,
  countErasable,
  eraseAccountNotes,
  eraseExpiredQuotes,
  eraseOrders,
  markUnusedArtworkErased,
  type ErasureCount,
  type ErasureScope,
} from '../db/repositories/erasure';
import { eraseRefusals, eraseSends } from '../db/repositories/sends';
import type { Mailer } from '../mail';
import { confirmationMailId } from '../mail/confirmation';
import { documentMailId } from '../mail/documents';
import { orderMailIds } from '../mail/order-mails';
import type { ArtworkStorage } from '../storage';

export interface ErasureDeps {
  database: Database;
  storage: ArtworkStorage;
  mailer: Mailer;
}

/** The numbers of erased records. `complete` is false if the time limit was reached; repeat the call to erase the rest. */
export interface ErasureResult extends ErasureCount {
  complete: boolean;
}

const ORDER_BATCH_SIZE = 50;
const QUOTE_BATCH_SIZE = 200;
const SEND_BATCH_SIZE = 200;
const ARTWORK_BATCH_SIZE = 20;
/** Shorter than the client's connection timeout, ms. */
const TIME_LIMIT_MS = 20_000;

export function countErasableData({ database }: ErasureDeps, scope: ErasureScope): Promise<ErasureCount> {
  return database.transaction((sql) => countErasable(sql, scope));
}

/**
 * Erases the notes on an account, and the personal data in its settled orders, from before `scope.before`. Also erases unordered quotes
 * that expired before it. Then removes their artwork unless other records use it. Each batch is a transaction, so after an interruption
 * a repeated call erases the rest.
 */
export async function erase(deps: ErasureDeps, scope: ErasureScope): Promise<ErasureResult> {
  const deadlineMs = performance.now() + TIME_LIMIT_MS;
  const notes = await eraseAccountNotes(deps.database, scope);
  let after = '';
  const orders = await repeatUntilDone(deadlineMs, ORDER_BATCH_SIZE, async () => {
    const ids = await eraseOrderBatch(deps, scope, after);
    after = ids.at(-1) ?? after;
    return ids.length;
  });
  const quotes = await repeatUntilDone(deadlineMs, QUOTE_BATCH_SIZE, () =>
    deps.database.transaction((sql) => eraseExpiredQuotes(sql, scope, QUOTE_BATCH_SIZE)),
  );
  const sends = await repeatUntilDone(deadlineMs, SEND_BATCH_SIZE, () => eraseSendBatch(deps, scope));
  if (!orders.done || !quotes.done || !sends.done)
    return { orders: orders.count, quotes: quotes.count, artwork: 0, mails: sends.count, notes, complete: false };
  await deps.database.transaction((sql) => markUnusedArtworkErased(sql, scope.accountId, scope.now));
  const artwork = await repeatUntilDone(deadlineMs, ARTWORK_BATCH_SIZE, () => removeArtworkBatch(deps, scope.accountId));
  return { orders: orders.count, quotes: quotes.count, artwork: artwork.count, mails: sends.count, notes, complete: artwork.done };
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
    await lockAccount(sql, scope.accountId); // every transaction locks the account before its orders
    const ids = await eraseOrders(sql, scope, after, ORDER_BATCH_SIZE);
    await mailer.deleteCopies(ids.flatMap((id) => [confirmationMailId(id), ...orderMailIds(id)]));
    return ids;
  });
}

async function eraseSendBatch({ database, mailer }: ErasureDeps, { accountId, before, now }: ErasureScope): Promise<number> {
  return database.transaction(async (sql) => {
    const ids = await eraseSends(sql, accountId, before, now, SEND_BATCH_SIZE);
    await eraseRefusals(sql, ids);
    await mailer.deleteCopies(ids.map(documentMailId));
    return ids.length;
  });
}

/** Deletes the files before it marks the rows. After a crash in between, the next call deletes the files again. */
async function removeArtworkBatch({ database, storage }: ErasureDeps, accountId: string): Promise<number> {
  const removable = await findArtworkToRemove(database, accountId, ARTWORK_BATCH_SIZE);
  for (const { storage_key: key } of removable) await storage.remove(key);
  const ids = removable.map(({ id }) => id);
  await markArtworkFilesDeleted(database, ids);
  return removable.length;
}
