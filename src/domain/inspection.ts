/** Results of inspecting an uploaded file (ruling 60). */

/**
 * `ok`: a picture with a preview. `no_preview`: the header is readable but the pixels cannot be decoded here, so a person must open the
 * file elsewhere. `unreadable`: not a printable picture.
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

export const PREVIEW_PX = 1600;

/** `large`: at most `PREVIEW_PX`. `small`: for lists, at most 320 pixels. */
export const PREVIEW_SIZES = ['large', 'small'] as const;
export type PreviewSize = (typeof PREVIEW_SIZES)[number];

/** More than a print of 2.5 × 2 m at 250 dpi needs. The limit is necessary because a small file may claim any size. */
export const MAX_PIXELS = 500_000_000;
