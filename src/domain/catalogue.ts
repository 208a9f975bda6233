import { LIMITS } from './limits';

/** Catalogue rows as the trade API shows them. Sizes in mm, weights in g/m². */

export const STOREFRONT_TIERS = ['basic', 'advanced'] as const;

/** An id that is also valid in a price book. */
export const CATALOGUE_ID = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${LIMITS.catalogueIdLength - 1}}$`);
export const CATALOGUE_ID_DESCRIPTION = 'an id of letters, digits, ".", "_" and "-"';

export interface ProductRow {
  slug: string;
  name: string;
  description: string;
  category: string | null;
  requiresArtwork: boolean;
}
interface NamedRow {
  id: string;
  name: string;
  clientTitle: string | null;
}
/** Null fits any tier; an empty list fits none. */
export interface TieredRow extends NamedRow {
  qualityTierIds: string[] | null;
}
export interface MediaRow extends NamedRow {
  description: string | null;
  imageUrl: string | null;
  storefrontTier: (typeof STOREFRONT_TIERS)[number];
  surfaceType: string;
  gramsPerSqm: number | null;
  maxPrintWidthMm: number | null;
  supportsTornEdge: boolean;
}
export interface SizeRow {
  id: string;
  label: string;
  sizeCategory: string;
  widthMm: number;
  heightMm: number;
}
export interface MouldingRow extends TieredRow {
  widthMm: number;
  depthMm: number | null;
  maxLengthMm: number | null;
  /** Mm of moulding that a frame needs besides its four sides. Null is eight widths. */
  cuttingAllowanceMm: number | null;
  colour: string;
  colourHex: string | null;
  imageUrl: string | null;
  canvasFloatSuitable: boolean;
}
export interface MatboardRow extends TieredRow {
  colour: string;
  colourHex: string | null;
  coreColour: string | null;
  coreColourHex: string | null;
  isAcidFree: boolean;
  isMuseumGrade: boolean;
}
export interface GlazingRow extends TieredRow {
  description: string | null;
  imageUrl: string | null;
  isUvProtective: boolean;
  isAntiReflective: boolean;
  isAcrylic: boolean;
}
export interface BackingRow extends TieredRow {
  description: string | null;
  imageUrl: string | null;
  isAcidFree: boolean;
}
export interface QualityTierRow {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  imageUrl: string | null;
}
export interface SleeveRow {
  sizeCode: string;
  widthMm: number;
  heightMm: number;
}

/** The stored sections. `canvasMouldings` is derived from `mouldings` (canvasFloatSuitable). */
export interface StoredCatalogue {
  products: ProductRow[];
  media: MediaRow[];
  canvasMedia: MediaRow[];
  everydayArtMedia: MediaRow[];
  sizes: SizeRow[];
  mouldings: MouldingRow[];
  matboards: MatboardRow[];
  glazing: GlazingRow[];
  backing: BackingRow[];
  qualityTiers: QualityTierRow[];
  sleeves: SleeveRow[];
}

/** The twelve sections of `GET /catalogue`, in the order of the specification. */
export interface Catalogue extends StoredCatalogue {
  canvasMouldings: MouldingRow[];
}

export const STORED_SECTIONS = [
  'products',
  'media',
  'canvasMedia',
  'everydayArtMedia',
  'sizes',
  'mouldings',
  'matboards',
  'glazing',
  'backing',
  'qualityTiers',
  'sleeves',
] as const satisfies readonly (keyof StoredCatalogue)[];
export type StoredCatalogueSection = (typeof STORED_SECTIONS)[number];

export const MEDIA_SECTIONS = ['media', 'canvasMedia', 'everydayArtMedia'] as const satisfies readonly StoredCatalogueSection[];
export type MediaSection = (typeof MEDIA_SECTIONS)[number];

export function rowId(section: StoredCatalogueSection, row: object): string {
  const key = section === 'products' ? 'slug' : section === 'sleeves' ? 'sizeCode' : 'id';
  return String((row as Record<string, unknown>)[key]);
}
