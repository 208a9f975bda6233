import { findAwaitedUploads, insertUpload, type NewUpload, type TargetRefusal } from '../db/repositories/uploads';
import { ARTWORK_GRACE_MS, UNUSED_TARGET_GRACE_MS } from '../domain/artwork-rules';
import { formatByteSize } from '../domain/byte-size';
import { ApiError, notFoundError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { checkStore, type ArrivalDeps } from './arrivals';

/**
 * Stores an upload target, unless the account has too many open targets or exceeds its quota. Before a refusal the store is queried,
 * because files may have arrived meanwhile. A stored target without a file gets a new expiry.
 * @throws ApiError UPLOAD_LIMIT, STORAGE_QUOTA_EXCEEDED, ARTWORK_IN_USE, NOT_FOUND
 */
export async function openTarget(deps: ArrivalDeps, upload: NewUpload, quotaBytes: number): Promise<void> {
  const endedBefore = new Date(deps.clock.now().getTime() - longestWaitMs(deps));
  const insert = (absentIds: readonly string[]) => insertUpload(deps.database, upload, { quotaBytes, endedBefore, absentIds });
  if ((await insert([])) === null) return;
  const refusal = await insert(await absentTargets(deps, upload.accountId, endedBefore));
  if (refusal !== null) throw toRefusalError(refusal, upload.sizeBytes, quotaBytes);
}

/** How long after its URL's expiry a file may be stored without a record here, ms. By then the sweep has queried an S3 store. */
function longestWaitMs({ storage }: ArrivalDeps): number {
  return storage.arrivals === 'reported' ? ARTWORK_GRACE_MS : 2 * UNUSED_TARGET_GRACE_MS;
}

/**
 * Queries a store that does not report arrivals.
 * @returns the ids of expired targets without a file
 */
async function absentTargets(deps: ArrivalDeps, accountId: string, endedBefore: Date): Promise<string[]> {
  if (deps.storage.arrivals === 'reported') return [];
  const awaited = await findAwaitedUploads(deps.database, accountId, endedBefore);
  const stats = await checkStore(deps, awaited);
  const settledBefore = deps.clock.now().getTime() - ARTWORK_GRACE_MS;
  return awaited.filter(({ id, expires_at }) => stats.get(id) === null && expires_at.getTime() < settledBefore).map(({ id }) => id);
}

/** The refusal for an upload whose file has arrived and cannot be replaced. */
export function artworkInUse(): ApiError {
  return new ApiError('ARTWORK_IN_USE', 'the file of this upload has already arrived; send other artwork as a new upload');
}

function toRefusalError(refusal: TargetRefusal, sizeBytes: number, quotaBytes: number): ApiError {
  if (refusal.reason === 'arrived') return artworkInUse();
  if (refusal.reason === 'removed') return notFoundError('upload on this account');
  if (refusal.reason === 'limit')
    return new ApiError(
      'UPLOAD_LIMIT',
      `this account has ${LIMITS.openTargetsPerAccount} open upload targets; send their files, or wait until the first one expires at ${refusal.firstClosesAt.toISOString()}`,
    );
  const { usedBytes } = refusal;
  const message = `sizeBytes: ${formatByteSize(sizeBytes)} more would exceed this account's quota of ${formatByteSize(quotaBytes)}, of which ${formatByteSize(usedBytes)} is used or being uploaded; wait until unused artwork is removed, or contact the studio`;
  return new ApiError('STORAGE_QUOTA_EXCEEDED', message, { quotaBytes, usedBytes });
}
