import type { UploadRow } from '../db/repositories/uploads';
import type { InspectionRow } from '../db/rows';
import { effectiveDpi, pictureSize } from '../domain/resolution';

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

/** What picture an upload is, by its bytes (ruling 60); pixels as they are seen. Null while nobody has looked at them. */
export function presentInspection(seen: InspectionRow | null) {
  if (seen === null) return null;
  return {
    state: seen.state,
    reason: seen.reason,
    mediaType: seen.media_type,
    widthPx: seen.width_px,
    heightPx: seen.height_px,
    orientation: seen.orientation,
    colourSpace: seen.colour_space,
    hasProfile: seen.has_profile,
    hasAlpha: seen.has_alpha,
    inspectedAt: seen.inspected_at.toISOString(),
  };
}
export type PresentedInspection = NonNullable<ReturnType<typeof presentInspection>>;

/** The same, with its resolution on a line; that is null where pixels or size are not known. */
export function presentLineInspection(seen: InspectionRow | null, job: { productSlug: string; selections: Record<string, string> }) {
  const inspection = presentInspection(seen);
  if (inspection === null) return null;
  const { widthPx, heightPx } = inspection;
  const printed = pictureSize(job);
  return {
    ...inspection,
    effectiveDpi: widthPx === null || heightPx === null || printed === null ? null : effectiveDpi({ widthPx, heightPx }, printed),
  };
}
export type PresentedLineInspection = NonNullable<ReturnType<typeof presentLineInspection>>;
