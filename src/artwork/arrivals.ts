/** Detects that a file was uploaded. The embedded store reports the last byte. An S3-compatible store must be polled. */
import type { Clock } from '../platform/clock';
import type { Database } from '../db/database';
import { scheduleMissingInspection } from '../db/repositories/inspections';
import { hasOrderWithOtherChecksum, recordUploadArrival, type ReceivedBytes } from '../db/repositories/order-artwork';
import { findUpload, lockUpload, findUnconfirmedUploads, type StoredUpload, type UploadRow } from '../db/repositories/uploads';
import { ARTWORK_GRACE_MS } from '../domain/artwork-rules';
import { ApiError } from '../domain/errors';
import type { Logger } from '../platform/logger';
import { mapLimited } from '../runtime/map-limited';
import type { ArrivalRecorder, ArtworkStat, ArtworkStorage } from '../storage';

/** How many uploads are checked at once. Each check queries the store and uses a database connection. */
export const UPLOAD_CONCURRENCY = 10;

export interface ArrivalDeps {
  database: Database;
  storage: ArtworkStorage;
  clock: Clock;
  logger: Logger;
}

/**
 * Records arrivals in the embedded store. Locks the upload's row: no order can use another file meanwhile. If the process crashes before
 * COMMIT, the client gets no response. Its next upload or the next check of the store then records the file.
 */
export function createArrivalRecorder({ database, clock }: Pick<ArrivalDeps, 'database' | 'clock'>): ArrivalRecorder {
  return {
    record: ({ key, sizeBytes, checksum }) =>
      database.transaction(async (sql) => {
        const upload = await lockUpload(sql, { key });
        if (upload === null) throw new ApiError('NOT_FOUND', 'This upload no longer exists. Request a new one.');
        if (await hasOrderWithOtherChecksum(sql, upload.id, checksum)) {
          throw new ApiError('ARTWORK_IN_USE', 'An order uses the stored file, so it cannot be replaced. Request a new upload.');
        }
        await sql.commitWith(() => recordUploadArrival(sql, upload.id, { sizeBytes, checksum }, clock.now()));
      }),
  };
}

/**
 * Queries the store for these uploads and records the files that it finds.
 * @returns the store's answers by upload id
 */
export async function checkStore(deps: ArrivalDeps, uploads: readonly StoredUpload[]): Promise<Map<string, ArtworkStat | null>> {
  const stats = new Map<string, ArtworkStat | null>();
  await mapLimited(uploads, UPLOAD_CONCURRENCY, async (upload) => {
    const stat = await deps.storage.stat(upload.storage_key, upload.checksum);
    stats.set(upload.id, stat);
    if (stat !== null) await saveArrival(deps, upload.id, stat, upload.checksum);
  });
  return stats;
}

/**
 * Records a file that was found in the store, unless another arrival was recorded since the row was read.
 * @param knownChecksum the row's checksum before the store was asked
 * @returns the upload's time of arrival; null if another arrival was recorded
 */
export async function saveArrival(
  { database, clock }: Pick<ArrivalDeps, 'database' | 'clock'>,
  uploadId: string,
  bytes: ReceivedBytes,
  knownChecksum: string | null,
): Promise<Date | null> {
  const now = clock.now();
  return database.transaction(async (sql) => {
    const upload = await lockUpload(sql, { id: uploadId });
    if (upload === null || upload.checksum !== knownChecksum) return null;
    await sql.commitWith(() => recordUploadArrival(sql, uploadId, bytes, now));
    return now;
  });
}

/**
 * Checks if the file has arrived. Queries the store if the row records no arrival, or if the file may have been replaced since.
 * @returns the upload with `received`, which is null if the row records no arrival and the store did not answer
 */
export async function checkUpload(deps: ArrivalDeps, upload: UploadRow): Promise<UploadRow & { received: boolean | null }> {
  const recorded = { ...upload, received: upload.received_at !== null };
  try {
    if (isFinal(deps.storage, upload) || !(await deps.storage.isAvailable())) return recorded;
    const stat = await deps.storage.stat(upload.storage_key, upload.checksum);
    if (stat === null) return recorded;
    if (recorded.received && stat.checksum === upload.checksum) {
      await scheduleMissingInspection(deps.database, upload.id);
      return recorded;
    }
    const receivedAt = await saveArrival(deps, upload.id, stat, upload.checksum);
    if (receivedAt !== null) return { ...upload, received: true, received_at: receivedAt, checksum: stat.checksum };
    const current = await findUpload(deps.database, upload.account_id, upload);
    return current === null ? recorded : { ...current, received: current.received_at !== null };
  } catch (error) {
    deps.logger.warn({ err: error, uploadId: upload.id }, 'the artwork store did not answer');
    return recorded.received ? recorded : { ...recorded, received: null };
  }
}

/**
 * True if the file has arrived and cannot have been replaced since without a record. An S3-compatible store is queried until a file was
 * found so long after the expiry of its URL that no upload which began before can still be running.
 */
function isFinal({ arrivals }: Pick<ArtworkStorage, 'arrivals'>, { received_at: receivedAt, expires_at: expiresAt }: UploadRow): boolean {
  return receivedAt !== null && (arrivals === 'reported' || receivedAt.getTime() >= expiresAt.getTime() + ARTWORK_GRACE_MS);
}

/** Checks a quote's artwork in the background after the quote's response, so that placing the order need not query the store. */
export function checkQuoteArtwork(deps: ArrivalDeps, accountId: string, urls: string[]): void {
  if (deps.storage.arrivals === 'reported' || urls.length === 0) return;
  const check = findUnconfirmedUploads(deps.database, accountId, urls).then((uploads) => checkStore(deps, uploads));
  check.catch((error: unknown) => deps.logger.warn({ err: error }, 'checking the artwork of a quote failed; its order checks again'));
}
