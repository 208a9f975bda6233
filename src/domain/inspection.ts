/** What looking at the bytes of an upload may come to (ruling 60). */

/**
 * `ok`: a picture, and there is a preview. `no_preview`: its header can be read and its pixels cannot be decoded here, so that a person has
 * to open it elsewhere. `unreadable`: no picture that could be printed.
 */
export const INSPECTION_STATES = ['ok', 'no_preview', 'unreadable'] as const;
export type InspectionState = (typeof INSPECTION_STATES)[number];

/** What is known of a picture by its bytes. Never by what they were declared as, nor by the density they claim. */
export interface PictureProperties {
  /** By its first bytes; null where they are of no kind that is known. */
  mediaType: string | null;
  /** As it is seen, so after its orientation. Null where the header could not be read. */
  widthPx: number | null;
  heightPx: number | null;
  /** By EXIF, 1 to 8; 1 where there is none. */
  orientation: number | null;
  /** As libvips names it: `srgb`, `cmyk`, `b-w`, `rgb16`, … */
  colourSpace: string | null;
  hasProfile: boolean | null;
  hasAlpha: boolean | null;
}

/** Of bytes whose header could not be read. */
export const UNKNOWN_PROPERTIES: PictureProperties = {
  mediaType: null,
  widthPx: null,
  heightPx: null,
  orientation: null,
  colourSpace: null,
  hasProfile: null,
  hasAlpha: null,
};

export interface InspectionResult extends PictureProperties {
  state: InspectionState;
  /** In words, what is wrong; null where nothing is. */
  reason: string | null;
}

export const PREVIEW_PX = 1600;

/** 2.5 × 2 m at 250 dpi have fewer pixels, and a few bytes may claim any size. */
export const MAX_PIXELS = 500_000_000;
