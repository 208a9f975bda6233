/**
 * How the service learns that bytes arrived: the embedded store says so with the last byte, an S3-compatible one has to be asked (ruling
 * 59).
 */
import type { Clock } from '../clock';
import type { Database } from '../db/database';
import { isFixedOtherwise, recordArrival, type Bytes } from '../db/repositories/order-artwork';
import { lockUpload, unsettledUploads, type StoredUpload, type UploadRow } from '../db/repositories/uploads';
import { ApiError } from '../domain/errors';
import type { Logger } from '../logger';
import { mapLimited } from '../runtime/map-limited';
import type { ArrivalBook, ArtworkStat, ArtworkStorage } from '../storage';

/** Uploads that are handled at the same time: each asks the store, and takes a connection of the database. */
export const UPLOADS_AT_ONCE = 10;

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
export function arrivalBook({ database, clock }: Pick<ArrivalDeps, 'database' | 'clock'>): ArrivalBook {
  return {
    receive: ({ key, sizeBytes, checksum }, store) =>
      database.transaction(async (sql) => {
        const upload = await lockUpload(sql, { key });
        if (upload === null) throw new ApiError('NOT_FOUND', 'There is no such upload any more. Ask for a new one.');
        if (await isFixedOtherwise(sql, upload.id, checksum)) {
          throw new ApiError('ARTWORK_IN_USE', 'An order rests on the bytes that are here, so others are refused. Ask for a new upload.');
        }
        await store();
        await recordArrival(sql, upload.id, { sizeBytes, checksum }, clock.now());
      }),
  };
}

/** Asks the store about these uploads and records what is there. @returns what the store has of each, by its id */
export async function askStore(deps: ArrivalDeps, uploads: readonly StoredUpload[]): Promise<Map<string, ArtworkStat | null>> {
  const found = new Map<string, ArtworkStat | null>();
  await mapLimited(uploads, UPLOADS_AT_ONCE, async (upload) => {
    const stat = await deps.storage.stat(upload.storage_key);
    found.set(upload.id, stat);
    if (stat !== null) await noteArrival(deps, upload.id, stat);
  });
  return found;
}

/** Records bytes that the store was found to have. @returns as when they arrived */
export async function noteArrival(
  { database, clock }: Pick<ArrivalDeps, 'database' | 'clock'>,
  uploadId: string,
  bytes: Bytes,
): Promise<Date> {
  const now = clock.now();
  await database.transaction(async (sql) => {
    if ((await lockUpload(sql, { id: uploadId })) !== null) await recordArrival(sql, uploadId, bytes, now);
  });
  return now;
}

/** What is known of an upload's bytes; `received` null: the row does not say, and the store did not answer. */
interface KnownUpload extends UploadRow {
  received: boolean | null;
}

/**
 * What is known of an upload's bytes by now. Where its row does not say, or they may have been replaced since, the store is asked, and what
 * it has is recorded (ruling 59).
 */
export async function knownUpload(deps: ArrivalDeps, upload: UploadRow): Promise<KnownUpload> {
  const known = { ...upload, received: upload.received_at !== null };
  try {
    if (isSettled(deps.storage, upload) || !(await deps.storage.isAtHand())) return known;
    const stat = await deps.storage.stat(upload.storage_key);
    if (stat === null || (known.received && stat.checksum === upload.checksum)) return known;
    const receivedAt = await noteArrival(deps, upload.id, stat);
    return { ...upload, received: true, received_at: receivedAt, checksum: stat.checksum };
  } catch (error) {
    deps.logger.warn({ err: error, uploadId: upload.id }, 'the artwork store did not answer');
    return known.received ? known : { ...known, received: null };
  }
}

/** Bytes that no one could have replaced since they were seen, or of whose replacement the store would have told. */
function isSettled({ arrivals }: Pick<ArtworkStorage, 'arrivals'>, { received_at: seenAt, expires_at: expiresAt }: UploadRow): boolean {
  return seenAt !== null && (arrivals === 'told' || seenAt >= expiresAt);
}

/** Asks about a quote's artwork after the quote was answered, so that placing the order need not ask the store. */
export function askAfterQuote(deps: ArrivalDeps, accountId: string, urls: string[]): void {
  if (deps.storage.arrivals === 'told' || urls.length === 0) return;
  const asked = unsettledUploads(deps.database, accountId, urls).then((uploads) => askStore(deps, uploads));
  asked.catch((error: unknown) => deps.logger.warn({ err: error }, 'the artwork of a quote was not asked for; its order asks again'));
}
