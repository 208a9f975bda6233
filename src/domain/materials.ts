import type { StoredCatalogueSection } from './catalogue';
import { mediaSectionOf } from './orderable-products';

/** The sections of materials, with the variant key that chooses one. */
const KEY_BY_SECTION = {
  media: 'mediaId',
  canvasMedia: 'mediaId',
  everydayArtMedia: 'mediaId',
  mouldings: 'mouldingId',
  matboards: 'matColorId',
  glazing: 'glazingId',
  backing: 'backingId',
  sleeves: 'sleeve',
} as const satisfies Partial<Record<StoredCatalogueSection, string>>;
export type MaterialSection = keyof typeof KEY_BY_SECTION;

export const MATERIAL_SECTIONS = Object.keys(KEY_BY_SECTION) as MaterialSection[];
export const isMaterialSection = (section: StoredCatalogueSection): section is MaterialSection => Object.hasOwn(KEY_BY_SECTION, section);
export const materialKeyOf = (section: MaterialSection): string => KEY_BY_SECTION[section];
/** Whether printing uses up the material. Framing uses up the others. */
export const isPrintedOn = (section: MaterialSection): boolean => KEY_BY_SECTION[section] === 'mediaId';

export interface Material {
  section: MaterialSection;
  id: string;
}

/** The work that is done on a line. */
export interface LineProgress {
  /** Pieces that are in no parcel; 0 on cancelled and completed orders. */
  openPieces: number;
  isPrinted: boolean;
  isFramed: boolean;
}

/** The materials that a line still needs. */
export function neededMaterials(
  { productSlug, selections }: { productSlug: string; selections: Readonly<Record<string, string>> },
  { openPieces, isPrinted, isFramed }: LineProgress,
): Material[] {
  if (openPieces === 0) return [];
  return MATERIAL_SECTIONS.flatMap((section): Material[] => {
    const id = selections[KEY_BY_SECTION[section]];
    const isUnneeded = isPrintedOn(section) ? isPrinted || section !== mediaSectionOf(productSlug) : isFramed;
    return id === undefined || isUnneeded ? [] : [{ section, id }];
  });
}

/** The last day without stock, `YYYY-MM-DD`; null if the material is in stock. A past day means in stock. */
export const currentStockDay = (outOfStockUntil: string | null | undefined, today: string): string | null =>
  outOfStockUntil !== null && outOfStockUntil !== undefined && outOfStockUntil >= today ? outOfStockUntil : null;

/** A material that a line needs and that is out of stock until the end of a day. */
export interface MissingMaterial extends Material {
  name: string;
  /** `YYYY-MM-DD` */
  until: string;
}
