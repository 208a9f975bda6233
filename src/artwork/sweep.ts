/** Removes upload targets without a file, artwork without a quote or order, and files without an upload. */
import { findOrdersToCompare } from '../db/repositories/order-artwork';
import {
  deleteUpload,
  restoreUsedUploads,
  readSweepPosition,
  findRemovableUploads,
  postponeRemoval,
  retireUploads,
  writeSweepPosition,
  findUnknownKeys,
  findUnusedUploads,
  findUploadsWithoutBytes,
} from '../db/repositories/unused-uploads';
import { mapLimited } from '../runtime/map-limited';
import { parseArtworkKey, StoreUnavailable } from '../storage';
import { checkStore, UPLOAD_CONCURRENCY, type ArrivalDeps } from './arrivals';
import { compareArtwork } from './order-artwork';
import { DAY_MS, HOUR_MS } from '../domain/duration';
import { UNUSED_TARGET_GRACE_MS } from '../domain/artwork-rules';

interface SweepDeps extends ArrivalDeps {
  uploadUnusedDays: number;
}

interface ArtworkSweepResult {
  /** Uploads marked for removal; their files are deleted an hour later. */
  retired: number;
  /** Uploads deleted with their files. */
  removed: number;
  /** Deleted objects of the store without an upload. */
  orphans: number;
}

/** How long a retired upload is kept, ms. By then every quote request that used it has ended. */
const RETIRED_RETENTION_MS = HOUR_MS;
const BATCH_SIZE = 200;
const LIST_PAGE_SIZE = 1000;
const SWEEP_MARK = 'artwork';

/**
 * Sweeps a limited number of files. Deletes files before their rows, so that after a crash the next run still finds the row. Does nothing
 * if the store is on another machine.
 * @throws StoreUnavailable; at the end, the last failure if none of several files could be removed
 */
export async function sweepArtwork(deps: SweepDeps, stop: AbortSignal): Promise<ArtworkSweepResult> {
  const result: ArtworkSweepResult = { retired: 0, removed: 0, orphans: 0 };
  if (!(await deps.storage.isAvailable())) return result;
  const failures: unknown[] = [];
  result.removed = await removeRetired(deps, failures);
  stop.throwIfAborted();
  result.retired = await retireUnused(deps);
  stop.throwIfAborted();
  result.orphans = await removeOrphans(deps, failures);
  if (failures.length > 1 && result.removed + result.orphans === 0) throw failures.at(-1);
  return result;
}

/** Repeats comparisons that failed when production started. */
export async function compareOverdue(deps: ArrivalDeps, stop: AbortSignal): Promise<number> {
  const orderIds = await findOrdersToCompare(deps.database, BATCH_SIZE);
  for (const orderId of orderIds) {
    stop.throwIfAborted();
    await compareArtwork(deps, orderId);
  }
  return orderIds.length;
}

/** Retires targets without a file and unused uploads. Queries the store first, because a file may have arrived unnoticed. */
async function retireUnused(deps: SweepDeps): Promise<number> {
  const sql = deps.database;
  const now = deps.clock.now();
  const stats = await checkStore(
    deps,
    await findUploadsWithoutBytes(sql, new Date(now.getTime() - UNUSED_TARGET_GRACE_MS), now, BATCH_SIZE),
  );
  const neverArrived = [...stats].filter(([, stat]) => stat === null).map(([id]) => id);
  const unused = await findUnusedUploads(sql, new Date(now.getTime() - deps.uploadUnusedDays * DAY_MS), BATCH_SIZE);
  return retireUploads(sql, [...neverArrived, ...unused], now);
}

async function removeRetired(deps: SweepDeps, failures: unknown[]): Promise<number> {
  const sql = deps.database;
  const now = deps.clock.now();
  await restoreUsedUploads(sql, now);
  const uploads = await findRemovableUploads(sql, new Date(now.getTime() - RETIRED_RETENTION_MS), now, BATCH_SIZE);
  const kept = await removeEach(deps, failures, uploads, async ({ id, storage_key }) => {
    await deps.storage.remove(storage_key);
    await deleteUpload(sql, id);
  });
  const removed = uploads.length - kept.length;
  const keptIds = kept.map(({ id }) => id);
  if (removed > 0) await postponeRemoval(sql, keptIds, now);
  return removed;
}

/**
 * Removes each file. One that cannot be removed, such as a file that the store must keep, is logged. The others are removed.
 * @param failures receives the error of each file that could not be removed
 * @returns these files
 * @throws StoreUnavailable
 */
async function removeEach<T>(deps: SweepDeps, failures: unknown[], files: readonly T[], remove: (file: T) => Promise<void>): Promise<T[]> {
  const kept: T[] = [];
  await mapLimited(files, UPLOAD_CONCURRENCY, async (file) => {
    try {
      await remove(file);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      kept.push(file);
      failures.push(error);
      deps.logger.warn({ err: error, file }, 'a stored file could not be removed');
    }
  });
  return kept;
}

/** Removes stored files without an upload. Reads one page of the store in each run, and starts again at the end. */
async function removeOrphans(deps: SweepDeps, failures: unknown[]): Promise<number> {
  const sql = deps.database;
  const objects = await deps.storage.list(await readSweepPosition(sql, SWEEP_MARK), LIST_PAGE_SIZE);
  const beforeMs = deps.clock.now().getTime() - deps.uploadUnusedDays * DAY_MS;
  const oldKeys = objects
    .filter(({ key, storedAt }) => storedAt.getTime() < beforeMs && parseArtworkKey(key) !== null)
    .map(({ key }) => key);
  const orphans = await findUnknownKeys(sql, oldKeys);
  const kept = await removeEach(deps, failures, orphans, (key) => deps.storage.remove(key));
  await writeSweepPosition(sql, SWEEP_MARK, objects.length < LIST_PAGE_SIZE ? '' : (objects.at(-1)?.key ?? ''));
  return orphans.length - kept.length;
}
