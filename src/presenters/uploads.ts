import type { UploadRow } from '../db/repositories/uploads';
import type { InspectionRow } from '../db/rows';
import { presentInspection } from './inspections';

/** An upload as its account sees it (specification "Upload"); `received` null: nobody knows at present. */
export function presentUpload(upload: UploadRow & { received: boolean | null }, seen: InspectionRow | null) {
  return {
    uploadId: upload.id,
    filename: upload.filename,
    contentType: upload.content_type,
    sizeBytes: upload.size_bytes,
    url: upload.url,
    received: upload.received,
    receivedAt: upload.received_at?.toISOString() ?? null,
    checksum: upload.checksum,
    inspection: presentInspection(seen),
    createdAt: upload.created_at.toISOString(),
    expiresAt: upload.expires_at.toISOString(),
  };
}
export type PresentedUpload = ReturnType<typeof presentUpload>;
