import { findAwaitedUploads, insertUpload, type NewUpload, type TargetRefusal } from '../db/repositories/uploads';
import { ARTWORK_GRACE_MS, UNUSED_TARGET_GRACE_MS } from '../domain/artwork-rules';
import { formatByteSize } from '../domain/byte-size';
import { ApiError, notFoundError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { storageFull } from '../storage';
import { checkStore, type ArrivalDeps } from './arrivals';

/**
 * Stores an upload target, unless the account has as many open ones without bytes as it may, or would pass its quota. Before an account is
 * refused the store is asked, because bytes may have come, or may come no more. A stored target without bytes gets a new end (ruling 69).
 * @throws ApiError STORAGE_FULL, UPLOAD_LIMIT, STORAGE_QUOTA_EXCEEDED (ruling 49), ARTWORK_IN_USE, NOT_FOUND
 */
export async function openTarget(deps: ArrivalDeps, upload: NewUpload, quotaBytes: number): Promise<void> {
  if (!(await deps.storage.hasSpaceFor(upload.sizeBytes))) throw storageFull(upload.sizeBytes);
  const endedBefore = new Date(deps.clock.now().getTime() - longestWaitMs(deps));
  const insert = (absentIds: readonly string[]) =>
    deps.database.transaction((sql) => insertUpload(sql, upload, { quotaBytes, endedBefore, absentIds }));
  if ((await insert([])) === null) return;
  const refusal = await insert(await absentTargets(deps, upload.accountId, endedBefore));
  if (refusal !== null) throw toRefusalError(refusal, upload.sizeBytes, quotaBytes);
}

/** How long after the end of its URL a target's bytes may be in the store and unknown here: an S3 store is asked by the sweep at the latest. */
function longestWaitMs({ storage }: ArrivalDeps): number {
  return storage.arrivals === 'reported' ? ARTWORK_GRACE_MS : 2 * UNUSED_TARGET_GRACE_MS;
}

/** Asks a store that does not tell of arrivals. @returns the targets that have no bytes and get none any more */
async function absentTargets(deps: ArrivalDeps, accountId: string, endedBefore: Date): Promise<string[]> {
  if (deps.storage.arrivals === 'reported') return [];
  const awaited = await findAwaitedUploads(deps.database, accountId, endedBefore);
  const stats = await checkStore(deps, awaited);
  const settledBefore = deps.clock.now().getTime() - ARTWORK_GRACE_MS;
  return awaited.filter(({ id, expires_at }) => stats.get(id) === null && expires_at.getTime() < settledBefore).map(({ id }) => id);
}

/** Of an upload that has bytes: it gets no others. */
export function artworkInUse(): ApiError {
  return new ApiError('ARTWORK_IN_USE', 'the bytes of this upload are here; send other artwork as a new upload');
}

function toRefusalError(refusal: TargetRefusal, sizeBytes: number, quotaBytes: number): ApiError {
  if (refusal.reason === 'arrived') return artworkInUse();
  if (refusal.reason === 'removed') return notFoundError('upload on this account');
  if (refusal.reason === 'limit')
    return new ApiError(
      'UPLOAD_LIMIT',
      `this account has ${LIMITS.openTargetsPerAccount} upload targets without bytes; send their bytes, or wait: the first of them closes at ${refusal.firstClosesAt.toISOString()}`,
    );
  const { usedBytes } = refusal;
  const message = `sizeBytes: ${formatByteSize(sizeBytes)} more would pass this account's ${formatByteSize(quotaBytes)} of artwork, of which ${formatByteSize(usedBytes)} are used or under way; unused artwork is removed in time, or ask the studio`;
  return new ApiError('STORAGE_QUOTA_EXCEEDED', message, { quotaBytes, usedBytes });
}
