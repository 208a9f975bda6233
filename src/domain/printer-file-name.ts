/** The job of a line, as far as its file name shows it. */
interface PrintedJob {
  quantity: number;
  selections: Readonly<Record<string, string>>;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/tiff': 'tif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/avif': 'avif',
};

/** Longer than any order number or catalogue id. */
const MAX_PART_LETTERS = 80;

/**
 * The name of a line's artwork for printers: `P-10041_1_300x400_cotton-rag-310_x2.tif`. It has ASCII letters, digits and `._-` only, so that
 * every file system and print program takes it. The client's file name is no part of it.
 * @param line from 0
 * @param mediaType the type of the content, or the declared one before the inspection
 */
export function printerFileName(orderNumber: string, line: number, { quantity, selections }: PrintedJob, mediaType: string): string {
  const { artworkWidthMm: width, artworkHeightMm: height, mediaId } = selections;
  const size = width === undefined || height === undefined ? [] : [`${width}x${height}`];
  const material = mediaId === undefined ? [] : [mediaId.replace(/^media-/, '')];
  const parts = [orderNumber, String(line + 1), ...size, ...material, `x${quantity}`];
  return `${parts.map(toSafePart).join('_')}.${EXTENSIONS[mediaType] ?? 'bin'}`;
}

const toSafePart = (part: string): string => part.replaceAll(/[^A-Za-z0-9.-]/g, '-').slice(0, MAX_PART_LETTERS);
