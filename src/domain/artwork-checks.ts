/** How a picture fits the printed size of a line (ruling 96). */
import { INSPECTION_STATES, type InspectionResult } from './inspection';
import { effectiveDpi, MAX_SHAPE_DIFFERENCE_PERCENT, MIN_DPI, printedPictureSize, shapeDifferencePercent } from './resolution';

export const CHECK_STATES = ['pending', ...INSPECTION_STATES] as const;

export const ARTWORK_WARNINGS = ['ARTWORK_LOW_RESOLUTION', 'ARTWORK_SHAPE_DIFFERS', 'ARTWORK_NO_PROFILE', 'ARTWORK_SEVERAL_PAGES'] as const;
type ArtworkWarning = (typeof ARTWORK_WARNINGS)[number];

export interface ArtworkChecks {
  /** `pending` until the file is inspected, else the result's state. */
  state: (typeof CHECK_STATES)[number];
  /** As displayed, after orientation; null if unknown. */
  widthPx: number | null;
  heightPx: number | null;
  /** In dpi; null if pixels or printed size are unknown. */
  effectiveDpi: number | null;
  /** In percent with one decimal; null if pixels or printed size are unknown. */
  shapeDifferencePercent: number | null;
  warnings: ArtworkWarning[];
}

/** The part of an inspection that the checks need. */
export type CheckedInspection = Pick<InspectionResult, 'state' | 'widthPx' | 'heightPx' | 'hasProfile' | 'pages'>;

/** Artwork by its URL, with the inspection of its current file; null before the first inspection. */
export type CheckedArtwork = ReadonlyMap<string, CheckedInspection | null>;

interface CheckedJob {
  productSlug: string;
  selections: Record<string, string>;
}

/** The checks of a line's picture; null for a line without artwork, or whose upload is gone. */
export function checkArtworkOfLine({ imageUrl, ...job }: CheckedJob & { imageUrl: string | null }, artwork: CheckedArtwork) {
  const inspection = imageUrl === null ? undefined : artwork.get(imageUrl);
  return inspection === undefined ? null : checkArtwork(inspection, job);
}

/** @param inspection null until the file is inspected */
export function checkArtwork(inspection: CheckedInspection | null, job: CheckedJob): ArtworkChecks {
  const { state = 'pending', widthPx = null, heightPx = null, hasProfile = null, pages = null } = inspection ?? {};
  const printed = printedPictureSize(job);
  const pixels = widthPx === null || heightPx === null ? null : { widthPx, heightPx };
  const isMeasured = pixels !== null && printed !== null;
  const dpi = isMeasured ? effectiveDpi(pixels, printed) : null;
  const difference = isMeasured ? shapeDifferencePercent(pixels, printed) : null;
  const warnings: ArtworkWarning[] = [];
  if (dpi !== null && dpi < MIN_DPI) warnings.push('ARTWORK_LOW_RESOLUTION');
  if (difference !== null && difference > MAX_SHAPE_DIFFERENCE_PERCENT) warnings.push('ARTWORK_SHAPE_DIFFERS');
  if (hasProfile === false) warnings.push('ARTWORK_NO_PROFILE');
  if (pages !== null && pages > 1) warnings.push('ARTWORK_SEVERAL_PAGES');
  return {
    state,
    widthPx,
    heightPx,
    effectiveDpi: dpi,
    shapeDifferencePercent: difference === null ? null : Math.round(difference * 10) / 10,
    warnings: state === 'unreadable' ? [] : warnings,
  };
}
