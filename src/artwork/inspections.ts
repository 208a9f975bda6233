/** Looks at the bytes of an upload: what picture they are, and whether its orders can be printed from them (ruling 60). */
import type { Readable } from 'node:stream';
import {
  inspectionDone,
  inspectionOf,
  lockUploadToInspect,
  storeInspection,
  uploadToInspect,
  type UploadToInspect,
} from '../db/repositories/inspections';
import type { Inspected, InspectionState } from '../domain/inspection';
import { noteArrival, type ArrivalDeps } from './arrivals';
import { judgeOrders } from './judgement';

/** Whoever opens the bytes. */
export interface PictureInspector {
  /** Never fails for what the bytes are; rejects where it could not be done, or was told to stop. */
  inspect(bytes: Readable, stop: AbortSignal): Promise<{ found: Inspected; preview: Buffer | null }>;
}

export interface InspectionDeps extends ArrivalDeps {
  pictures: PictureInspector;
}

/** `replaced`: other bytes came meanwhile, which are to be looked at. `gone`: the upload is, or its bytes are. */
export type InspectionEnd = InspectionState | 'replaced' | 'gone';

/**
 * One look. Bytes that were looked at before are not opened again; what was found is told to orders that do not know it yet.
 * @throws Error where the store is away, so that it is tried again
 */
export async function inspectUpload(deps: InspectionDeps, uploadId: string, stop: AbortSignal): Promise<InspectionEnd> {
  const upload = await uploadToInspect(deps.database, uploadId);
  if (upload === null || upload.is_given_up) return 'gone';
  if (!(await deps.storage.isAtHand())) throw new Error('the artwork store is not on this machine');
  const stat = await deps.storage.stat(upload.storage_key);
  if (stat === null) return notThere(deps, uploadId);
  if (stat.checksum !== upload.checksum) await noteArrival(deps, uploadId, stat);
  const known = stat.checksum === null ? null : await inspectionOf(deps.database, uploadId, stat.checksum);
  if (known !== null) return conclude(deps, upload, stat.checksum, null);
  const looked = await look(deps, upload, stop);
  const after = await deps.storage.stat(upload.storage_key);
  return after?.checksum === stat.checksum ? conclude(deps, upload, stat.checksum, looked) : 'replaced';
}

/** That it is missing is for the order's workflow to say; should the bytes come after all, a look is due again. */
async function notThere({ database }: InspectionDeps, uploadId: string): Promise<'gone'> {
  await inspectionDone(database, uploadId);
  return 'gone';
}

async function look({ storage, pictures }: InspectionDeps, { storage_key: key }: UploadToInspect, stop: AbortSignal): Promise<Inspected> {
  const { found, preview } = await pictures.inspect(await storage.openRead(key), stop);
  if (preview === null) await storage.removePreview(key);
  else await storage.writePreview(key, preview);
  return found;
}

/**
 * Stores what was found, and judges the orders by it, unless the upload has other bytes by now. A preview that was kept while its upload
 * was given up goes again: whoever removed the upload's bytes may have been there before it.
 */
async function conclude(
  { database, storage, clock }: InspectionDeps,
  { id, storage_key: key }: UploadToInspect,
  checksum: string | null,
  looked: Inspected | null,
): Promise<InspectionEnd> {
  const end = await database.transaction(async (sql): Promise<InspectionEnd> => {
    const upload = await lockUploadToInspect(sql, id);
    if (upload === null || upload.is_given_up) return 'gone';
    if (upload.checksum !== checksum) return 'replaced';
    const now = clock.now();
    const seen = looked === null ? await inspectionOf(sql, id, checksum) : await storeInspection(sql, id, checksum, looked, now);
    if (seen === null) return 'replaced';
    await judgeOrders(sql, upload, seen, now);
    await inspectionDone(sql, id);
    return seen.state;
  });
  if (end === 'gone') await storage.removePreview(key);
  return end;
}
