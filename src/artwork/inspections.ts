/** Looks at the bytes of an upload: what picture they are, and whether its orders can be printed from them (ruling 60). */
import type { Readable } from 'node:stream';
import {
  addCpuTime,
  markInspectionDone,
  findInspection,
  lockUploadToInspect,
  storeInspection,
  findUploadToInspect,
  type UploadToInspect,
} from '../db/repositories/inspections';
import type { InspectionResult, InspectionState } from '../domain/inspection';
import { saveArrival, type ArrivalDeps } from './arrivals';
import { assessOrders } from './assessment';

interface PictureInspector {
  /** Never fails for what the bytes are; rejects where it could not be done, or was told to stop. */
  inspect(bytes: Readable, stop: AbortSignal): Promise<{ found: InspectionResult; preview: Buffer | null; cpuSeconds: number }>;
}

export interface InspectionDeps extends ArrivalDeps {
  pictures: PictureInspector;
}

/** `replaced`: other bytes came meanwhile, which are to be looked at. `gone`: the upload is, or its bytes are. */
export type InspectionOutcome = InspectionState | 'replaced' | 'gone';

/**
 * One look. Whoever gives an upload up says so in its row first and removes its bytes and its preview afterwards, so the row is read once
 * more after a preview may have been kept: what is given up by then, or gone, keeps none.
 * @throws Error where the store is away, so that it is tried again
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

/** Bytes that were looked at before are not opened again; what was found is told to orders that do not know it yet. */
async function inspectBytes(deps: InspectionDeps, upload: UploadToInspect, stop: AbortSignal): Promise<InspectionOutcome> {
  const stat = await deps.storage.stat(upload.storage_key);
  if (stat === null) {
    // That it is missing is for the order's workflow to say; should the bytes come after all, a look is due again.
    await markInspectionDone(deps.database, upload.id);
    return 'gone';
  }
  if (stat.checksum !== upload.checksum) await saveArrival(deps, upload.id, stat);
  const existing = stat.checksum === null ? null : await findInspection(deps.database, upload.id, stat.checksum);
  if (existing !== null) return storeResult(deps, upload.id, stat.checksum, null);
  const inspected = await inspectPicture(deps, upload, stop);
  const statAfter = await deps.storage.stat(upload.storage_key);
  return statAfter?.checksum === stat.checksum ? storeResult(deps, upload.id, stat.checksum, inspected) : 'replaced';
}

async function inspectPicture(
  { database, storage, pictures }: InspectionDeps,
  { id, storage_key: key }: UploadToInspect,
  stop: AbortSignal,
): Promise<InspectionResult> {
  const { found, preview, cpuSeconds } = await pictures.inspect(await storage.openRead(key), stop);
  await addCpuTime(database, id, cpuSeconds);
  if (preview === null) await storage.removePreview(key);
  else await storage.writePreview(key, preview);
  return found;
}

/** Stores what was found, and judges the orders by it, unless the upload has other bytes by now or is given up. */
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
      inspected === null ? await findInspection(sql, id, checksum) : await storeInspection(sql, id, checksum, inspected, now);
    if (inspection === null) return 'replaced';
    await assessOrders(sql, upload, inspection, now);
    await markInspectionDone(sql, id);
    return inspection.state;
  });
}
