/** Looks at the bytes of an upload: what picture they are, and whether its orders can be printed from them (ruling 60). */
import type { Readable } from 'node:stream';
import {
  chargeInspection,
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

interface PictureInspector {
  /** Never fails for what the bytes are; rejects where it could not be done, or was told to stop. */
  inspect(bytes: Readable, stop: AbortSignal): Promise<{ found: Inspected; preview: Buffer | null; cpuSeconds: number }>;
}

export interface InspectionDeps extends ArrivalDeps {
  pictures: PictureInspector;
}

/** `replaced`: other bytes came meanwhile, which are to be looked at. `gone`: the upload is, or its bytes are. */
export type InspectionEnd = InspectionState | 'replaced' | 'gone';

/**
 * One look. Whoever gives an upload up says so in its row first and removes its bytes and its preview afterwards, so the row is read once
 * more after a preview may have been kept: what is given up by then, or gone, keeps none.
 * @throws Error where the store is away, so that it is tried again
 */
export async function inspectUpload(deps: InspectionDeps, uploadId: string, stop: AbortSignal): Promise<InspectionEnd> {
  const upload = await uploadToInspect(deps.database, uploadId);
  if (upload === null) return 'gone';
  if (!(await deps.storage.isAtHand())) throw new Error('the artwork store is not on this machine');
  const end = upload.is_given_up ? 'gone' : await inspectBytes(deps, upload, stop);
  const after = await uploadToInspect(deps.database, uploadId);
  if (after !== null && !after.is_given_up) return end;
  await deps.storage.removePreview(upload.storage_key);
  return 'gone';
}

/** Bytes that were looked at before are not opened again; what was found is told to orders that do not know it yet. */
async function inspectBytes(deps: InspectionDeps, upload: UploadToInspect, stop: AbortSignal): Promise<InspectionEnd> {
  const stat = await deps.storage.stat(upload.storage_key);
  if (stat === null) {
    // That it is missing is for the order's workflow to say; should the bytes come after all, a look is due again.
    await inspectionDone(deps.database, upload.id);
    return 'gone';
  }
  if (stat.checksum !== upload.checksum) await noteArrival(deps, upload.id, stat);
  const known = stat.checksum === null ? null : await inspectionOf(deps.database, upload.id, stat.checksum);
  if (known !== null) return conclude(deps, upload.id, stat.checksum, null);
  const looked = await look(deps, upload, stop);
  const after = await deps.storage.stat(upload.storage_key);
  return after?.checksum === stat.checksum ? conclude(deps, upload.id, stat.checksum, looked) : 'replaced';
}

async function look(
  { database, storage, pictures }: InspectionDeps,
  { id, storage_key: key }: UploadToInspect,
  stop: AbortSignal,
): Promise<Inspected> {
  const { found, preview, cpuSeconds } = await pictures.inspect(await storage.openRead(key), stop);
  await chargeInspection(database, id, cpuSeconds);
  if (preview === null) await storage.removePreview(key);
  else await storage.writePreview(key, preview);
  return found;
}

/** Stores what was found, and judges the orders by it, unless the upload has other bytes by now or is given up. */
async function conclude(
  { database, clock }: InspectionDeps,
  id: string,
  checksum: string | null,
  looked: Inspected | null,
): Promise<InspectionEnd> {
  return database.transaction(async (sql): Promise<InspectionEnd> => {
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
}
