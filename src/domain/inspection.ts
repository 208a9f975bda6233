/** Results of inspecting an uploaded file. */
import { MINUTE_MS } from './duration';

/**
 * `ok`: a picture with a preview. `no_preview`: it cannot be decoded here, so the studio opens the file. `unreadable`: not a printable picture.
 */
export const INSPECTION_STATES = ['ok', 'no_preview', 'unreadable'] as const;
export type InspectionState = (typeof INSPECTION_STATES)[number];

/** Properties that are read from a picture's file. The declared type and the density in the file are ignored. */
export interface PictureProperties {
  /** By the first bytes; null for an unknown type. */
  mediaType: string | null;
  /** As displayed, after orientation. Null if the header is unreadable. */
  widthPx: number | null;
  heightPx: number | null;
  /** From EXIF, 1 to 8; 1 without EXIF. */
  orientation: number | null;
  /** As libvips names it: `srgb`, `cmyk`, `b-w`, `rgb16`, … */
  colourSpace: string | null;
  hasProfile: boolean | null;
  hasAlpha: boolean | null;
  /** The pages of a TIFF without reduced pages and masks; 1 for other formats. */
  pages: number | null;
  /** Channels that are neither color nor alpha, such as spot colors. */
  extraChannels: number | null;
}

/** The properties of a file with an unreadable header. */
export const UNKNOWN_PROPERTIES: PictureProperties = {
  mediaType: null,
  widthPx: null,
  heightPx: null,
  orientation: null,
  colourSpace: null,
  hasProfile: null,
  hasAlpha: null,
  pages: null,
  extraChannels: null,
};

export interface InspectionResult extends PictureProperties {
  state: InspectionState;
  /** The problem in words, or null. */
  reason: string | null;
  /** The `DECODER_VERSION` that made this result. */
  decoderVersion: number;
}

/** Increase it with each change of the decoder or its libraries that may change results. Older results are then made again when needed. */
export const DECODER_VERSION = 2;

/** More than a print of 2.5 × 2 m at 250 dpi needs. The limit is necessary because a small file may claim any size. */
export const MAX_PIXELS = 500_000_000;

/** The longer side of the previews. */
export const PREVIEW_PX = 1600;
export const SMALL_PREVIEW_PX = 320;

/** `large`: at most `PREVIEW_PX`. `small`: for lists, at most `SMALL_PREVIEW_PX`. */
export const PREVIEW_SIZES = ['large', 'small'] as const;
export type PreviewSize = (typeof PREVIEW_SIZES)[number];

/** An inspection that has been due for longer is overdue. */
export const OVERDUE_INSPECTION_MS = 10 * MINUTE_MS;

/** @param dueAt null if no inspection is due */
export function isInspectionOverdue(dueAt: Date | null, now: Date): boolean {
  return dueAt !== null && now.getTime() - dueAt.getTime() > OVERDUE_INSPECTION_MS;
}

/** An inspection that takes longer is stopped and started again, ms. Reading 500 MB at 3 MB/s and the decoder's 150 s fit. */
export const MAX_INSPECTION_MS = 6 * MINUTE_MS;

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/apng': 'PNG',
  'image/webp': 'WebP',
  'image/tiff': 'TIFF',
  'image/heic': 'HEIC',
  'image/heif': 'HEIC',
  'image/avif': 'AVIF',
};

/** The name of a picture's format in reasons. */
export const formatName = (mediaType: string | null): string => FORMAT_NAMES[mediaType ?? ''] ?? 'The file';

/**
 * The reason of a `no_preview`. It asks the client for nothing.
 * @param subject what the decoder cannot show, such as `TIFF with ZSTD compression`
 */
export const noPreviewReason = (subject: string, cause?: string): string =>
  `${subject}: no preview here${cause === undefined ? '' : `, because ${cause}`}; the studio opens the file`;

/** Why no program could print a file. */
export const UNREADABLE_CAUSES = ['wrong_type', 'bad_header', 'cut_off', 'damaged_pixels', 'too_many_pixels'] as const;
export type UnreadableCause = (typeof UNREADABLE_CAUSES)[number];

/** The reason of an `unreadable`, for the client. */
export function unreadableReason(cause: UnreadableCause, { mediaType, widthPx, heightPx }: PictureProperties): string {
  const accepted = 'send JPEG, PNG, WebP, TIFF or HEIC';
  if (cause === 'bad_header') return 'its header cannot be read: the file is damaged or ends too early';
  if (cause === 'cut_off') return 'the file ends too early';
  if (cause === 'damaged_pixels') return 'its pixels are damaged or incomplete';
  if (cause === 'too_many_pixels')
    return `its header declares ${widthPx ?? 'too many'} × ${heightPx ?? 'too many'} pixels; the limit is ${MAX_PIXELS / 1_000_000} million`;
  if (mediaType === null) return `the file is not a known picture format, or is incomplete; ${accepted}`;
  return `the file is ${mediaType}, which cannot be printed; ${accepted}`;
}
