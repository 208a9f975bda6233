/** The resolution of a picture at its printed size (ruling 60). */
import { readArtworkFit } from './artwork-fit';
import type { AttentionCode } from './attention';
import type { InspectionResult } from './inspection';
import { formatLine } from './line-quantities';

/** Below this, a person must check the picture before printing. */
export const MIN_DPI = 150;

const MM_PER_INCH = 25.4;

interface PixelSize {
  widthPx: number;
  heightPx: number;
}

/** In mm. */
interface PrintedSize {
  widthMm: number;
  heightMm: number;
}

/**
 * Returns the resolution along the worse axis, in dots per inch, rounded down. The picture is first turned to the orientation with the
 * higher result, as production does.
 */
export function effectiveDpi({ widthPx, heightPx }: PixelSize, { widthMm, heightMm }: PrintedSize): number {
  const dpi = (acrossPx: number, downPx: number) => Math.min((acrossPx * MM_PER_INCH) / widthMm, (downPx * MM_PER_INCH) / heightMm);
  return Math.floor(Math.max(dpi(widthPx, heightPx), dpi(heightPx, widthPx)));
}

/** True if the studio turns the picture by 90°, because this gives the higher resolution. */
export function isTurned(pixels: PixelSize, { widthMm, heightMm }: PrintedSize): boolean {
  const [across, down] = [pixels.widthPx / widthMm, pixels.heightPx / heightMm];
  const [turnedAcross, turnedDown] = [pixels.heightPx / widthMm, pixels.widthPx / heightMm];
  return Math.min(turnedAcross, turnedDown) > Math.min(across, down);
}

/**
 * Returns how much the proportions of a picture and its print differ, in percent: 0 for the same shape, 50 if one is half as wide again. The
 * picture is turned as for its resolution.
 */
export function shapeDifferencePercent(pixels: PixelSize, printed: PrintedSize): number {
  const [acrossPx, downPx] = isTurned(pixels, printed) ? [pixels.heightPx, pixels.widthPx] : [pixels.widthPx, pixels.heightPx];
  const [one, other] = [acrossPx * printed.heightMm, downPx * printed.widthMm];
  const shorter = Math.min(one, other);
  return ((Math.max(one, other) - shorter) * 100) / shorter; // exact for a whole percent
}

/**
 * Returns the picture's printed size, without mats, outside borders and the paper of a torn edge. An inside border reduces it
 * (specification "Variant selections"). Null if the line has no size.
 */
export function printedPictureSize({
  productSlug,
  selections,
}: {
  productSlug: string;
  selections: Record<string, string>;
}): PrintedSize | null {
  const bordersMm =
    productSlug === 'fine-art-printing' && selections['borderMode'] === 'inside' ? 2 * parseMm(selections['borderMm'] ?? '0') : 0;
  const widthMm = parseMm(selections['artworkWidthMm']) - bordersMm;
  const heightMm = parseMm(selections['artworkHeightMm']) - bordersMm;
  return widthMm > 0 && heightMm > 0 ? { widthMm, heightMm } : null;
}

/** NaN if the text is not a whole number. */
function parseMm(text: string | undefined): number {
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/**
 * Returns the issue of a picture whose resolution is too low for its line, with a solution; null if it is sufficient. `line` counts from 0.
 */
export function lowResolutionIssue(line: number, pixels: PixelSize, printed: PrintedSize): string | null {
  const dpi = effectiveDpi(pixels, printed);
  if (dpi >= MIN_DPI) return null;
  const { widthMm, heightMm } = printed;
  const actual = `${pixels.widthPx} × ${pixels.heightPx} pixels`;
  const required = `${pixelsFor(widthMm)} × ${pixelsFor(heightMm)} pixels`;
  const largest = [maxPrintMm(pixels.widthPx), maxPrintMm(pixels.heightPx)];
  return (
    `${formatLine(line)}: the picture has ${actual}; at ${widthMm} × ${heightMm} mm that is ${dpi} dpi, below the minimum of ${MIN_DPI}; ` +
    (largest.includes(0)
      ? `send a picture of at least ${required}`
      : `send a picture of at least ${required}, or order a print of at most ${largest.join(' × ')} mm`)
  );
}

/** A cut or margin of up to this difference is not visible, in percent. */
export const MAX_SHAPE_DIFFERENCE_PERCENT = 1;

/** Returns the issue of a picture whose shape differs from its print; null if it fits. `line` counts from 0. */
function shapeIssue(line: number, pixels: PixelSize, printed: PrintedSize): string | null {
  const percent = shapeDifferencePercent(pixels, printed);
  if (percent <= MAX_SHAPE_DIFFERENCE_PERCENT) return null;
  const shape = `${pixels.widthPx} × ${pixels.heightPx} pixels for ${printed.widthMm} × ${printed.heightMm} mm`;
  return `${formatLine(line)}: the shape of the picture differs by ${percent.toFixed(1)} % (${shape}); choose to crop it or to leave white margins`;
}

const pixelsFor = (sideMm: number): number => Math.ceil((sideMm * MIN_DPI) / MM_PER_INCH);
const maxPrintMm = (px: number): number => Math.floor((px * MM_PER_INCH) / MIN_DPI);

/** The attention that an inspection raises, and ends when it finds otherwise. */
export const FINDING_CODES = [
  'ARTWORK_UNREADABLE',
  'ARTWORK_LOW_RESOLUTION',
  'ARTWORK_SEVERAL_PAGES',
  'ARTWORK_SHAPE_DIFFERS',
] as const satisfies readonly AttentionCode[];
/** A problem of a picture that raises attention. `subject` names the upload, or the upload and the line. */
export interface Finding {
  code: (typeof FINDING_CODES)[number];
  subject: string;
  message: string;
}

/**
 * Finds the problems of an upload as artwork of an order's lines. `jobs` are in the order of the lines. A picture whose pixels
 * cannot be decoded here is not a problem; its size and pages are checked like any other.
 */
export function pictureFindings(
  upload: { id: string; url: string },
  inspection: Pick<InspectionResult, 'state' | 'reason' | 'widthPx' | 'heightPx' | 'pages'>,
  jobs: readonly { productSlug: string; selections: Record<string, string>; imageUrl: string | null }[],
): Finding[] {
  const lines = jobs.flatMap((job, index) => (job.imageUrl === upload.url ? [{ job, line: index }] : []));
  if (lines.length === 0) return [];
  const where = lines.map(({ line }) => formatLine(line)).join(', ');
  if (inspection.state === 'unreadable') {
    const message = `${where}: the artwork ${upload.id} cannot be printed: ${inspection.reason}; send another file`;
    return [{ code: 'ARTWORK_UNREADABLE', subject: upload.id, message }];
  }
  const { widthPx, heightPx, pages } = inspection;
  const severalPages = `${where}: the artwork ${upload.id} has ${pages} pages; the largest one is taken as the picture`;
  const findings: Finding[] =
    pages === null || pages === 1 ? [] : [{ code: 'ARTWORK_SEVERAL_PAGES', subject: upload.id, message: severalPages }];
  if (widthPx === null || heightPx === null) return findings;
  for (const { job, line } of lines) {
    const printed = printedPictureSize(job);
    const message = printed === null ? null : lowResolutionIssue(line, { widthPx, heightPx }, printed);
    const subject = `${upload.id}/${line}`;
    if (message !== null) findings.push({ code: 'ARTWORK_LOW_RESOLUTION', subject, message });
    const differs =
      printed === null || readArtworkFit(job.selections['artworkFit']) !== null ? null : shapeIssue(line, { widthPx, heightPx }, printed);
    if (differs !== null) findings.push({ code: 'ARTWORK_SHAPE_DIFFERS', subject, message: differs });
  }
  return findings;
}
