/**
 * How the service learns that bytes arrived: the embedded store says so with the last byte, an S3-compatible one has to be asked (ruling
 * 59).
 */
import type { Clock } from '../clock';
import type { Database } from '../db/database';
import { hasOtherFixedBytes, recordUploadArrival, type ReceivedBytes } from '../db/repositories/order-artwork';
import { lockUpload, findUnconfirmedUploads, type StoredUpload, type UploadRow } from '../db/repositories/uploads';
import { ApiError } from '../domain/errors';
import type { Logger } from '../logger';
import { mapLimited } from '../runtime/map-limited';
import type { ArrivalRecorder, ArtworkStat, ArtworkStorage } from '../storage';

/** Uploads that are handled at the same time: each asks the store, and takes a connection of the database. */
export const UPLOAD_CONCURRENCY = 10;

export interface ArrivalDeps {
  database: Database;
  storage: ArtworkStorage;
  clock: Clock;
  logger: Logger;
}

/**
 * Where the embedded store records arrivals. The upload's row is locked while its bytes become the artwork, so that no order fixes others
 * meanwhile. If the process dies in between, the row knows less than the store: the sender gets no answer and sends again, or whoever asks
 * the store finds the bytes.
 */
export function createArrivalRecorder({ database, clock }: Pick<ArrivalDeps, 'database' | 'clock'>): ArrivalRecorder {
  return {
    record: ({ key, sizeBytes, checksum }, store) =>
      database.transaction(async (sql) => {
        const upload = await lockUpload(sql, { key });
        if (upload === null) throw new ApiError('NOT_FOUND', 'There is no such upload any more. Ask for a new one.');
        if (await hasOtherFixedBytes(sql, upload.id, checksum)) {
          throw new ApiError('ARTWORK_IN_USE', 'An order rests on the bytes that are here, so others are refused. Ask for a new upload.');
        }
        await store();
        await recordUploadArrival(sql, upload.id, { sizeBytes, checksum }, clock.now());
      }),
  };
}

/** Asks the store about these uploads and records what is there. @returns what the store has of each, by its id */
export async function checkStore(deps: ArrivalDeps, uploads: readonly StoredUpload[]): Promise<Map<string, ArtworkStat | null>> {
  const stats = new Map<string, ArtworkStat | null>();
  await mapLimited(uploads, UPLOAD_CONCURRENCY, async (upload) => {
    const stat = await deps.storage.stat(upload.storage_key);
    stats.set(upload.id, stat);
    if (stat !== null) await saveArrival(deps, upload.id, stat);
  });
  return stats;
}

/** Records bytes that the store was found to have. @returns as when they arrived */
export async function saveArrival(
  { database, clock }: Pick<ArrivalDeps, 'database' | 'clock'>,
  uploadId: string,
  bytes: ReceivedBytes,
): Promise<Date> {
  const now = clock.now();
  await database.transaction(async (sql) => {
    if ((await lockUpload(sql, { id: uploadId })) !== null) await recordUploadArrival(sql, uploadId, bytes, now);
  });
  return now;
}

/** What is known of an upload's bytes; `received` null: the row does not say, and the store did not answer. */
interface CheckedUpload extends UploadRow {
  received: boolean | null;
}

/**
 * What is known of an upload's bytes by now. Where its row does not say, or they may have been replaced since, the store is asked, and what
 * it has is recorded (ruling 59).
 */
export async function checkUpload(deps: ArrivalDeps, upload: UploadRow): Promise<CheckedUpload> {
  const checked = { ...upload, received: upload.received_at !== null };
  try {
    if (isFinal(deps.storage, upload) || !(await deps.storage.isAvailable())) return checked;
    const stat = await deps.storage.stat(upload.storage_key);
    if (stat === null || (checked.received && stat.checksum === upload.checksum)) return checked;
    const receivedAt = await saveArrival(deps, upload.id, stat);
    return { ...upload, received: true, received_at: receivedAt, checksum: stat.checksum };
  } catch (error) {
    deps.logger.warn({ err: error, uploadId: upload.id }, 'the artwork store did not answer');
    return checked.received ? checked : { ...checked, received: null };
  }
}

/** Bytes that no one could have replaced since they were seen, or of whose replacement the store would have told. */
function isFinal({ arrivals }: Pick<ArtworkStorage, 'arrivals'>, { received_at: receivedAt, expires_at: expiresAt }: UploadRow): boolean {
  return receivedAt !== null && (arrivals === 'reported' || receivedAt >= expiresAt);
}

/** Asks about a quote's artwork after the quote was answered, so that placing the order need not ask the store. */
export function checkQuoteArtwork(deps: ArrivalDeps, accountId: string, urls: string[]): void {
  if (deps.storage.arrivals === 'reported' || urls.length === 0) return;
  const check = findUnconfirmedUploads(deps.database, accountId, urls).then((uploads) => checkStore(deps, uploads));
  check.catch((error: unknown) => deps.logger.warn({ err: error }, 'the artwork of a quote was not asked for; its order asks again'));
}
