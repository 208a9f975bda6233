/** Removes what nobody uses: targets whose bytes never came, artwork that no quote or order names, bytes that no upload knows. */
import { ordersToCompare } from '../db/repositories/order-artwork';
import {
  forgetUpload,
  keepNamedAgain,
  markOf,
  removableUploads,
  retire,
  setMark,
  unknownKeys,
  unusedUploads,
  withoutBytes,
} from '../db/repositories/unused-uploads';
import { mapLimited } from '../runtime/map-limited';
import { parseArtworkKey } from '../storage';
import { askStore, UPLOADS_AT_ONCE, type ArrivalDeps } from './arrivals';
import { compareArtwork } from './order-artwork';
import { DAY_MS, HOUR_MS } from '../domain/duration';
import { UNUSED_TARGET_GRACE_MS } from '../domain/artwork-rules';

interface SweepDeps extends ArrivalDeps {
  uploadUnusedDays: number;
}

interface Swept {
  /** Uploads that were taken from their account; their bytes go an hour later. */
  retired: number;
  /** Uploads that went, with their bytes. */
  removed: number;
  /** Objects of the store that no upload knew. */
  orphans: number;
}

/** How long a retired upload waits to be removed, ms: a quote that was being priced when it was retired has long been answered by then. */
const RETIRED_MS = HOUR_MS;
const BATCH = 200;
const LISTED = 1000;
const MARK = 'artwork';

/**
 * One bounded run. Bytes go before their row, so that a crash in between leaves a row that the next run finds. Nothing happens where the
 * store is not at hand.
 */
export async function sweepArtwork(deps: SweepDeps, stop: AbortSignal): Promise<Swept> {
  const swept: Swept = { retired: 0, removed: 0, orphans: 0 };
  if (!(await deps.storage.isAtHand())) return swept;
  swept.removed = await removeRetired(deps);
  stop.throwIfAborted();
  swept.retired = await retireUnused(deps);
  stop.throwIfAborted();
  swept.orphans = await removeOrphans(deps);
  return swept;
}

/** Comparisons that did not come to their end when production started. */
export async function compareAgain(deps: ArrivalDeps, stop: AbortSignal): Promise<number> {
  const orderIds = await ordersToCompare(deps.database, BATCH);
  for (const orderId of orderIds) {
    stop.throwIfAborted();
    await compareArtwork(deps, orderId);
  }
  return orderIds.length;
}

/** The store is asked first about targets whose bytes nobody has heard of. */
async function retireUnused(deps: SweepDeps): Promise<number> {
  const sql = deps.database;
  const now = deps.clock.now();
  const asked = await askStore(deps, await withoutBytes(sql, new Date(now.getTime() - UNUSED_TARGET_GRACE_MS), now, BATCH));
  const never = [...asked].filter(([, stat]) => stat === null).map(([id]) => id);
  const unused = await unusedUploads(sql, new Date(now.getTime() - deps.uploadUnusedDays * DAY_MS), BATCH);
  return retire(sql, [...never, ...unused], now);
}

async function removeRetired(deps: SweepDeps): Promise<number> {
  const sql = deps.database;
  const now = deps.clock.now();
  await keepNamedAgain(sql, now);
  const uploads = await removableUploads(sql, new Date(now.getTime() - RETIRED_MS), now, BATCH);
  await mapLimited(uploads, UPLOADS_AT_ONCE, async ({ id, storage_key }) => {
    await deps.storage.remove(storage_key);
    await forgetUpload(sql, id);
  });
  return uploads.length;
}

/** Goes through the store page by page, one a run, and begins again at its end. */
async function removeOrphans(deps: SweepDeps): Promise<number> {
  const sql = deps.database;
  const listed = await deps.storage.list(await markOf(sql, MARK), LISTED);
  const before = deps.clock.now().getTime() - deps.uploadUnusedDays * DAY_MS;
  const old = listed.filter(({ key, storedAt }) => storedAt.getTime() < before && parseArtworkKey(key) !== null).map(({ key }) => key);
  const orphans = await unknownKeys(sql, old);
  await mapLimited(orphans, UPLOADS_AT_ONCE, (key) => deps.storage.remove(key));
  await setMark(sql, MARK, listed.length < LISTED ? '' : (listed.at(-1)?.key ?? ''));
  return orphans.length;
}
