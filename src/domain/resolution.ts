/** How sharp a picture is at the size it is printed in (ruling 60). */
import type { AttentionCode } from './attention';
import type { Inspected } from './inspection';
import { lineInWords } from './line-pieces';

/** Below this a person has to look before it is printed. */
const LEAST_DPI = 150;

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

/** Whole dots per inch, rounded down: the lower axis, with the picture turned the better way round, as the floor turns it. */
export function effectiveDpi({ widthPx, heightPx }: PixelSize, { widthMm, heightMm }: PrintedSize): number {
  const dpi = (acrossPx: number, downPx: number) => Math.min((acrossPx * MM_PER_INCH) / widthMm, (downPx * MM_PER_INCH) / heightMm);
  return Math.floor(Math.max(dpi(widthPx, heightPx), dpi(heightPx, widthPx)));
}

/**
 * The picture itself on a line's sheet: without mats, outside borders and paper to tear; an inside border is taken out of it (specification
 * "Variant selections"). Null where the line has no such size.
 */
export function pictureSize({ productSlug, selections }: { productSlug: string; selections: Record<string, string> }): PrintedSize | null {
  const bordersMm =
    productSlug === 'fine-art-printing' && selections['borderMode'] === 'inside' ? 2 * mm(selections['borderMm'] ?? '0') : 0;
  const widthMm = mm(selections['artworkWidthMm']) - bordersMm;
  const heightMm = mm(selections['artworkHeightMm']) - bordersMm;
  return widthMm > 0 && heightMm > 0 ? { widthMm, heightMm } : null;
}

/** NaN where it is no whole number. */
function mm(text: string | undefined): number {
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** What is wrong with a picture that is too small for its line, and what would work; null where it is sharp enough. `line` from 0. */
export function tooCoarse(line: number, pixels: PixelSize, printed: PrintedSize): string | null {
  const dpi = effectiveDpi(pixels, printed);
  if (dpi >= LEAST_DPI) return null;
  const { widthMm, heightMm } = printed;
  const has = `${pixels.widthPx} × ${pixels.heightPx} pixels`;
  const wanted = `${pixelsFor(widthMm)} × ${pixelsFor(heightMm)} pixels`;
  const largest = [reach(pixels.widthPx), reach(pixels.heightPx)];
  return (
    `${lineInWords(line)}: its picture has ${has}, which on ${widthMm} × ${heightMm} mm are ${dpi} dpi, below ${LEAST_DPI}; ` +
    (largest.includes(0)
      ? `send a larger picture: ${wanted} would do`
      : `${wanted} would do, or a print of at most ${largest.join(' × ')} mm`)
  );
}

const pixelsFor = (sideMm: number): number => Math.ceil((sideMm * LEAST_DPI) / MM_PER_INCH);
const reach = (px: number): number => Math.floor((px * MM_PER_INCH) / LEAST_DPI);

/** What a person has to see to. `subject` names the occurrence: the upload, or the upload and the line. */
interface Finding {
  code: Extract<AttentionCode, 'ARTWORK_UNREADABLE' | 'ARTWORK_LOW_RESOLUTION'>;
  subject: string;
  message: string;
}

interface Job {
  productSlug: string;
  selections: Record<string, string>;
  imageUrl: string | null;
}

/**
 * What is wrong with an upload as the artwork of an order's lines, `jobs` in their order (ruling 60). A picture that cannot be decoded here
 * is nothing wrong, and its size is judged like any other's.
 */
export function pictureFindings(
  upload: { id: string; url: string },
  seen: Pick<Inspected, 'state' | 'reason' | 'widthPx' | 'heightPx'>,
  jobs: readonly Job[],
): Finding[] {
  const lines = jobs.flatMap((job, index) => (job.imageUrl === upload.url ? [{ job, line: index }] : []));
  if (lines.length === 0) return [];
  if (seen.state === 'unreadable') {
    const where = lines.map(({ line }) => lineInWords(line)).join(', ');
    const message = `${where}: the artwork ${upload.id} cannot be printed: ${seen.reason}; send another file`;
    return [{ code: 'ARTWORK_UNREADABLE', subject: upload.id, message }];
  }
  const { widthPx, heightPx } = seen;
  if (widthPx === null || heightPx === null) return [];
  return lines.flatMap(({ job, line }): Finding[] => {
    const printed = pictureSize(job);
    const message = printed === null ? null : tooCoarse(line, { widthPx, heightPx }, printed);
    return message === null ? [] : [{ code: 'ARTWORK_LOW_RESOLUTION', subject: `${upload.id}/${line}`, message }];
  });
}
