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
/** So many removals that fail, without one that succeeds, are a fault of the store, such as a missing permission. */
const MANY_FAILURES = 10;

/**
 * Sweeps a limited number of files. Deletes files before their rows, so that after a crash the next run still finds the row. Does nothing
 * if the store is on another machine.
 * @throws StoreUnavailable; at the end, the first failure if none of many files could be removed
 */
export async function sweepArtwork(deps: SweepDeps, stop: AbortSignal): Promise<ArtworkSweepResult> {
  const result: ArtworkSweepResult = { retired: 0, removed: 0, orphans: 0 };
  if (!(await deps.storage.isAvailable())) return result;
  const failures: RemovalFailure[] = [];
  result.removed = await removeRetired(deps, failures);
  stop.throwIfAborted();
  result.retired = await retireUnused(deps);
  stop.throwIfAborted();
  result.orphans = await removeOrphans(deps, failures);
  const [first] = failures;
  if (first === undefined) return result;
  const keys = failures.slice(0, 10).map(({ key }) => key);
  deps.logger.warn({ err: first.error, files: failures.length, keys }, 'stored files could not be removed');
  if (failures.length >= MANY_FAILURES && result.removed + result.orphans === 0) throw first.error;
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

interface RemovalFailure {
  key: string;
  error: unknown;
}

async function removeRetired(deps: SweepDeps, failures: RemovalFailure[]): Promise<number> {
  const sql = deps.database;
  const now = deps.clock.now();
  await restoreUsedUploads(sql, now);
  const uploads = await findRemovableUploads(sql, new Date(now.getTime() - RETIRED_RETENTION_MS), now, BATCH_SIZE);
  const kept: string[] = [];
  await mapLimited(uploads, UPLOAD_CONCURRENCY, async ({ id, storage_key: key }) => {
    if (await tryRemove(deps, key, failures)) await deleteUpload(sql, id);
    else kept.push(id);
  });
  // If the store removes nothing, the next run tries the same ones, and fails too until the store is repaired.
  const isFaultOfStore = kept.length === uploads.length && kept.length >= MANY_FAILURES;
  if (!isFaultOfStore || kept.length === BATCH_SIZE) await postponeRemoval(sql, kept, now);
  return uploads.length - kept.length;
}

/** @returns whether the file was removed; a file that the store must keep, for example, is added to `failures`. @throws StoreUnavailable */
async function tryRemove({ storage }: SweepDeps, key: string, failures: RemovalFailure[]): Promise<boolean> {
  try {
    await storage.remove(key);
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    failures.push({ key, error });
    return false;
  }
}

/** Removes stored files without an upload. Reads one page of the store in each run, and starts again at the end. */
async function removeOrphans(deps: SweepDeps, failures: RemovalFailure[]): Promise<number> {
  const sql = deps.database;
  const objects = await deps.storage.list(await readSweepPosition(sql, SWEEP_MARK), LIST_PAGE_SIZE);
  const beforeMs = deps.clock.now().getTime() - deps.uploadUnusedDays * DAY_MS;
  const oldKeys = objects
    .filter(({ key, storedAt }) => storedAt.getTime() < beforeMs && parseArtworkKey(key) !== null)
    .map(({ key }) => key);
  const orphans = await findUnknownKeys(sql, oldKeys);
  const outcomes = await mapLimited(orphans, UPLOAD_CONCURRENCY, (key) => tryRemove(deps, key, failures));
  await writeSweepPosition(sql, SWEEP_MARK, objects.length < LIST_PAGE_SIZE ? '' : (objects.at(-1)?.key ?? ''));
  return outcomes.filter(Boolean).length;
}
