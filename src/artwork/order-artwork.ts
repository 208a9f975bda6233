/**
 * Checks for artwork that was missing when its order was placed. Compares artwork with the stored files when production starts, because a
 * picture must not change unnoticed (rulings 49 and 59).
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

/**
 * Returns the time of a new order's first check for missing artwork. Null if the store reports arrivals: the check is then due
 * `ARTWORK_GRACE_MS` after the upload URL's expiry.
 */
export function firstCheckAt({ storage }: { storage: Pick<ArtworkStorage, 'arrivals'> }, now: Date): Date | null {
  return storage.arrivals === 'reported' ? null : new Date(now.getTime() + ARTWORK_CHECK_INTERVAL_MS);
}

/**
 * Checks for an order's missing artwork, and records the files that have arrived. Raises attention about artwork that is still missing
 * `ARTWORK_GRACE_MS` after its upload URL's expiry.
 * @returns the time of the next check, or null if no artwork is missing
 */
export async function checkAwaitedArtwork(deps: ArrivalDeps, orderId: string): Promise<Date | null> {
  const awaited = await findAwaitedArtwork(deps.database, orderId);
  await mapLimited(awaited, UPLOAD_CONCURRENCY, async (artwork) => {
    const bytes = await loadStoredBytes(deps, artwork);
    if (bytes === null) await handleMissing(deps, artwork);
    else await saveArrival(deps, artwork.upload_id, bytes, artwork.received_checksum);
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

/**
 * Locks the upload. True if the file has arrived, or the order has got other artwork, since the store was queried. Attention raised then
 * would never be cleared.
 */
async function isOutdated(sql: Sql, artwork: OrderArtwork): Promise<boolean> {
  const upload = await lockUpload(sql, { id: artwork.upload_id });
  const hasArrived = artwork.received_at === null && upload !== null && upload.received_at !== null;
  return hasArrived || !(await isArtworkOfOrder(sql, artwork));
}

/** Compares the order's artwork with the stored files. A difference raises attention but does not stop production. */
export async function compareArtwork(deps: ArrivalDeps, orderId: string): Promise<void> {
  await mapLimited(await findArtworkToCompare(deps.database, orderId), UPLOAD_CONCURRENCY, async (artwork) => {
    const bytes = await loadStoredBytes(deps, artwork);
    if (bytes !== null && artwork.fixed_at === null) await saveArrival(deps, artwork.upload_id, bytes, artwork.received_checksum);
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

/** Compares only the sizes if a checksum is unknown. */
function isDifferent(artwork: OrderArtwork, bytes: ReceivedBytes): boolean {
  if (artwork.fixed_at === null) return false;
  return (
    artwork.size_bytes !== bytes.sizeBytes || (artwork.checksum !== null && bytes.checksum !== null && artwork.checksum !== bytes.checksum)
  );
}

function occurrence({ order_id, upload_id }: OrderArtwork, code: 'ARTWORK_MISSING' | 'ARTWORK_CHANGED') {
  return { orderId: order_id, code, subject: upload_id };
}

/** Returns the size and checksum of the stored file. If the store is on another machine, returns those in the upload's row. */
async function loadStoredBytes({ storage }: ArrivalDeps, artwork: OrderArtwork): Promise<ReceivedBytes | null> {
  if (await storage.isAvailable()) return storage.stat(artwork.storage_key, artwork.checksum ?? artwork.received_checksum);
  return artwork.received_at === null ? null : { sizeBytes: artwork.declared_bytes, checksum: artwork.received_checksum };
}
