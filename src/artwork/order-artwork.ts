/**
 * Checks for artwork that was missing when its order was placed, and compares artwork when production starts: the picture of an order must
 * not change unnoticed (rulings 49 and 59).
 */
import type { Sql } from '../db/database';
import { raiseAttention } from '../db/repositories/attention';
import {
  findArtworkToCompare,
  findAwaitedArtwork,
  isArtworkOfOrder,
  scheduleCheck,
  markCompared,
  findNextCheck,
  type ReceivedBytes,
  type OrderArtwork,
} from '../db/repositories/order-artwork';
import { lockUpload } from '../db/repositories/uploads';
import { mapLimited } from '../runtime/map-limited';
import type { ArtworkStorage } from '../storage';
import { saveArrival, UPLOAD_CONCURRENCY, type ArrivalDeps } from './arrivals';
import { ARTWORK_GRACE_MS, ARTWORK_CHECK_INTERVAL_MS } from '../domain/artwork-rules';

/** The time of a new order's first check for missing artwork. Null, if the store reports arrivals, means `ARTWORK_GRACE_MS` after the URL's end. */
export function firstCheckAt({ storage }: { storage: Pick<ArtworkStorage, 'arrivals'> }, now: Date): Date | null {
  return storage.arrivals === 'reported' ? null : new Date(now.getTime() + ARTWORK_CHECK_INTERVAL_MS);
}

/**
 * Checks for an order's missing artwork. Found artwork is fixed. Artwork still missing `ARTWORK_GRACE_MS` after its URL's end raises
 * attention.
 * @returns the time of the next check, or null if none is missing
 */
export async function checkAwaitedArtwork(deps: ArrivalDeps, orderId: string): Promise<Date | null> {
  const awaited = await findAwaitedArtwork(deps.database, orderId);
  await mapLimited(awaited, UPLOAD_CONCURRENCY, async (artwork) => {
    const bytes = await loadStoredBytes(deps, artwork);
    if (bytes === null) await handleMissing(deps, artwork);
    else await saveArrival(deps, artwork.upload_id, bytes);
  });
  return findNextCheck(deps.database, orderId);
}

async function handleMissing({ database, clock }: ArrivalDeps, artwork: OrderArtwork): Promise<void> {
  const now = clock.now();
  const remainingMs = artwork.expires_at.getTime() + ARTWORK_GRACE_MS - now.getTime();
  if (remainingMs > 0) {
    const waitedMs = Math.max(ARTWORK_CHECK_INTERVAL_MS, now.getTime() - artwork.ordered_at.getTime());
    return scheduleCheck(database, artwork, new Date(now.getTime() + Math.min(remainingMs, waitedMs)));
  }
  await database.transaction(async (sql) => {
    if (await isOutdated(sql, artwork)) return;
    if (artwork.base_status !== 'cancelled')
      await raiseAttention(
        sql,
        occurrence(artwork, 'ARTWORK_MISSING'),
        `the artwork ${artwork.upload_id} did not arrive before its upload URL expired`,
        now,
      );
    await scheduleCheck(sql, artwork, null);
  });
}

/** Locks the upload. True if its file arrived, or the order got other artwork, after the store was queried. Attention would then never be cleared. */
async function isOutdated(sql: Sql, artwork: OrderArtwork): Promise<boolean> {
  const upload = await lockUpload(sql, { id: artwork.upload_id });
  const hasArrived = artwork.received_at === null && upload !== null && upload.received_at !== null;
  return hasArrived || !(await isArtworkOfOrder(sql, artwork));
}

/** Compares the order's artwork with the store. A difference raises attention but does not stop production. */
export async function compareArtwork(deps: ArrivalDeps, orderId: string): Promise<void> {
  await mapLimited(await findArtworkToCompare(deps.database, orderId), UPLOAD_CONCURRENCY, async (artwork) => {
    const bytes = await loadStoredBytes(deps, artwork);
    if (bytes !== null && artwork.fixed_at === null) await saveArrival(deps, artwork.upload_id, bytes);
    await assessArtwork(deps, artwork, bytes);
  });
}

async function assessArtwork({ database, clock }: ArrivalDeps, artwork: OrderArtwork, bytes: ReceivedBytes | null): Promise<void> {
  if (bytes !== null && !isDifferent(artwork, bytes)) return markCompared(database, artwork);
  const [code, problem] =
    bytes === null ? (['ARTWORK_MISSING', 'is missing'] as const) : (['ARTWORK_CHANGED', 'has changed since the order'] as const);
  await database.transaction(async (sql) => {
    if (!(await isOutdated(sql, artwork))) {
      const message = `production started, but the artwork ${artwork.upload_id} ${problem}`;
      await raiseAttention(sql, occurrence(artwork, code), message, clock.now());
    }
    await markCompared(sql, artwork);
  });
}

/** Without a stored checksum only the size is compared. */
function isDifferent(fixed: OrderArtwork, bytes: ReceivedBytes): boolean {
  if (fixed.fixed_at === null) return false;
  return fixed.size_bytes !== bytes.sizeBytes || (fixed.checksum !== null && bytes.checksum !== null && fixed.checksum !== bytes.checksum);
}

function occurrence({ order_id, upload_id }: OrderArtwork, code: 'ARTWORK_MISSING' | 'ARTWORK_CHANGED') {
  return { orderId: order_id, code, subject: upload_id };
}

/** The store's file, or the data of the upload's row if the store is on another machine. */
async function loadStoredBytes({ storage }: ArrivalDeps, artwork: OrderArtwork): Promise<ReceivedBytes | null> {
  if (await storage.isAvailable()) return storage.stat(artwork.storage_key);
  return artwork.received_at === null ? null : { sizeBytes: artwork.declared_bytes, checksum: artwork.received_checksum };
}
