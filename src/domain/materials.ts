import type { StoredCatalogueSection } from './catalogue';
import { mediaSectionOf } from './orderable-products';
import { STATUSES_TO_BE_SHIPPED, type OrderStatus } from './order-status';

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
/** Whether the material is used up by printing, so printed orders no longer need it. */
export const isPrintedOn = (section: MaterialSection): boolean => KEY_BY_SECTION[section] === 'mediaId';

export interface Material {
  section: MaterialSection;
  id: string;
}

/** The materials that a line of an open order still needs. */
export function neededMaterials(
  { productSlug, selections }: { productSlug: string; selections: Readonly<Record<string, string>> },
  { status, printed }: { status: OrderStatus; printed: boolean },
): Material[] {
  if (!STATUSES_TO_BE_SHIPPED.includes(status)) return [];
  return MATERIAL_SECTIONS.flatMap((section): Material[] => {
    const id = selections[KEY_BY_SECTION[section]];
    const isOther = isPrintedOn(section) && (printed || section !== mediaSectionOf(productSlug));
    return id === undefined || isOther ? [] : [{ section, id }];
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
