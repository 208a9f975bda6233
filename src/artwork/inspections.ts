/** Inspects the file of an upload: the picture's properties, and whether its orders can be printed (ruling 60). */
import type { Readable } from 'node:stream';
import {
  addCpuTime,
  deleteOutdatedInspection,
  markInspectionDone,
  markInspectionOutdated,
  findReusableInspection,
  lockUploadToInspect,
  storeInspection,
  findUploadToInspect,
  type UploadToInspect,
} from '../db/repositories/inspections';
import { PREVIEW_SIZES, type InspectionResult, type InspectionState, type PreviewSize } from '../domain/inspection';
import { saveArrival, type ArrivalDeps } from './arrivals';
import { assessOrders } from './assessment';

interface PictureInspector {
  /**
   * Rejects if the inspection was not possible or was stopped, but not because of the file's content. Calls `recordCpuTime` after each
   * attempt.
   */
  inspect(
    bytes: Readable,
    stop: AbortSignal,
    recordCpuTime: (cpuSeconds: number) => Promise<void>,
  ): Promise<{ found: InspectionResult; previews: Readonly<Record<PreviewSize, Buffer>> | null }>;
}

export interface InspectionDeps extends ArrivalDeps {
  inspector: PictureInspector;
}

/** `replaced`: the file was replaced meanwhile and must be inspected again. `gone`: the upload or its file no longer exists. */
export type InspectionOutcome = InspectionState | 'replaced' | 'gone';

/**
 * Inspects an upload once. Removing an upload marks its row first and deletes its files afterwards. The row is therefore read again after
 * the previews were stored, and those of a removed upload are deleted.
 * @throws Error if the store is unavailable, to have the inspection retried
 */
export async function inspectUpload(deps: InspectionDeps, uploadId: string, stop: AbortSignal): Promise<InspectionOutcome> {
  const upload = await findUploadToInspect(deps.database, uploadId);
  if (upload === null) return 'gone';
  if (!(await deps.storage.isAvailable())) throw new Error('the artwork store is not on this machine');
  const result = upload.is_given_up ? 'gone' : await inspectBytes(deps, upload, stop);
  const current = await findUploadToInspect(deps.database, uploadId);
  if (current !== null && !current.is_given_up) return result;
  await deps.storage.removePreview(upload.storage_key);
  return 'gone';
}

/** Opens a file only if this decoder has not inspected it before. A stored result is applied to the orders that do not have it yet. */
async function inspectBytes(deps: InspectionDeps, upload: UploadToInspect, stop: AbortSignal): Promise<InspectionOutcome> {
  const stat = await deps.storage.stat(upload.storage_key, upload.checksum);
  if (stat === null) return endWithoutFile(deps, upload);
  if (stat.checksum !== upload.checksum && (await saveArrival(deps, upload.id, stat, upload.checksum)) === null) return 'replaced';
  const existing = stat.checksum === null ? null : await findReusableInspection(deps.database, upload.id, stat.checksum);
  if (existing !== null) return storeResult(deps, upload.id, stat.checksum, null);
  const inspected = await inspectPicture(deps, { ...upload, checksum: stat.checksum }, stop);
  const statAfter = await deps.storage.stat(upload.storage_key, stat.checksum);
  return statAfter?.checksum === stat.checksum ? storeResult(deps, upload.id, stat.checksum, inspected) : 'replaced';
}

/**
 * Ends the inspection of a missing file, which the order's workflow reports. A file that arrives later is inspected. The lock keeps an
 * arrival from being recorded between the check and the mark.
 */
async function endWithoutFile(
  { database, storage }: InspectionDeps,
  { id, storage_key: key }: UploadToInspect,
): Promise<InspectionOutcome> {
  return database.transaction(async (sql): Promise<InspectionOutcome> => {
    await lockUploadToInspect(sql, id);
    if ((await storage.stat(key, null)) !== null) return 'replaced';
    await deleteOutdatedInspection(sql, id);
    await markInspectionDone(sql, id);
    return 'gone';
  });
}

/** Replaces the previews. Until the result is stored, they may belong to another file than the stored result, so that is outdated. */
async function inspectPicture(
  { database, storage, inspector }: InspectionDeps,
  { id, storage_key: key, checksum }: UploadToInspect,
  stop: AbortSignal,
): Promise<InspectionResult> {
  const recordCpuTime = (cpuSeconds: number): Promise<void> => addCpuTime(database, id, cpuSeconds);
  const { found, previews } = await inspector.inspect(await storage.openRead(key, checksum), stop, recordCpuTime);
  await markInspectionOutdated(database, id);
  if (previews === null) await storage.removePreview(key);
  else for (const size of PREVIEW_SIZES) await storage.writePreview(key, size, previews[size]);
  return found;
}

/** Stores the result and applies it to the orders, unless the file was replaced or the upload removed meanwhile. */
async function storeResult(
  { database, clock }: InspectionDeps,
  id: string,
  checksum: string | null,
  inspected: InspectionResult | null,
): Promise<InspectionOutcome> {
  return database.transaction(async (sql): Promise<InspectionOutcome> => {
    const upload = await lockUploadToInspect(sql, id);
    if (upload === null || upload.is_given_up) return 'gone';
    if (upload.checksum !== checksum) return 'replaced';
    const now = clock.now();
    const inspection =
      inspected === null ? await findReusableInspection(sql, id, checksum) : await storeInspection(sql, id, checksum, inspected, now);
    if (inspection === null) return 'replaced';
    await assessOrders(sql, upload, inspection, now);
    await markInspectionDone(sql, id);
    return inspection.state;
  });
}
