import type { UploadRow } from '../db/repositories/uploads';
import type { InspectionRow } from '../db/rows';
import { fieldsOf } from './fields';
import { checkArtwork } from '../domain/artwork-checks';
import { artworkNotes } from '../domain/artwork-notes';
import { readArtworkFit } from '../domain/artwork-fit';
import { isTurned, printedPictureSize } from '../domain/resolution';
import { isInspectionOverdue } from '../domain/inspection';

/** An upload; `received` is null if the store did not answer. */
export function presentUpload(upload: UploadRow & { received: boolean | null }, inspectionRow: InspectionRow | null, now: Date) {
  return {
    uploadId: upload.id,
    ...fieldsOf(upload, 'filename', 'content_type', 'size_bytes', 'url', 'received', 'received_at', 'checksum'),
    inspection: presentInspection(inspectionRow),
    inspectionOverdue: isInspectionOverdue(upload.inspect_at, now),
    ...fieldsOf(upload, 'created_at', 'expires_at'),
  };
}
export type PresentedUpload = ReturnType<typeof presentUpload>;

/** The inspection of an upload, with pixels after rotation. Null until it is inspected. */
export function presentInspection(row: InspectionRow | null) {
  if (row === null) return null;
  return {
    ...fieldsOf(row, 'state', 'reason', 'media_type', 'width_px', 'height_px', 'orientation'),
    ...fieldsOf(row, 'colour_space', 'has_profile', 'has_alpha', 'pages', 'extra_channels', 'decoder_version', 'inspected_at'),
  };
}
export type PresentedInspection = NonNullable<ReturnType<typeof presentInspection>>;

/** The inspection with the checks of a line's picture, and notes for production. */
export function presentLineInspection(
  row: InspectionRow | null,
  declaredType: string,
  job: { productSlug: string; selections: Record<string, string> },
) {
  const inspection = presentInspection(row);
  if (inspection === null) return null;
  const { effectiveDpi, shapeDifferencePercent, warnings } = checkArtwork(inspection, job);
  return {
    ...inspection,
    effectiveDpi,
    shapeDifferencePercent,
    warnings,
    notes: artworkNotes(declaredType, inspection),
  };
}
/** How the picture of a line is printed; null if its pixels or the size are unknown. */
export function presentPlacement(row: InspectionRow | null, job: { productSlug: string; selections: Record<string, string> }) {
  const { width_px: widthPx = null, height_px: heightPx = null } = row ?? {};
  const printed = printedPictureSize(job);
  if (widthPx === null || heightPx === null || printed === null) return null;
  return { fit: readArtworkFit(job.selections['artworkFit']), ...printed, isTurned: isTurned({ widthPx, heightPx }, printed) };
}

export type PresentedLineInspection = NonNullable<ReturnType<typeof presentLineInspection>>;
