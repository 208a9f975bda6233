import { STORED_SECTIONS, type Catalogue, type StoredCatalogue, type StoredSection } from '../domain/catalogue';

const MEDIA = [
  'id',
  'name',
  'clientTitle',
  'description',
  'imageUrl',
  'storefrontTier',
  'surfaceType',
  'gramsPerSqm',
  'maxPrintWidthMm',
  'supportsTornEdge',
];
const MOULDING = [
  'id',
  'name',
  'clientTitle',
  'widthMm',
  'depthMm',
  'maxLengthMm',
  'colour',
  'colourHex',
  'imageUrl',
  'canvasFloatSuitable',
  'qualityTierIds',
];

/** The fields of each section's rows, in the order of the specification ("Catalogue"); nothing else leaves. */
export const SECTION_FIELDS: Record<StoredSection, readonly string[]> = {
  products: ['slug', 'name', 'description', 'category', 'requiresArtwork'],
  media: MEDIA,
  canvasMedia: MEDIA,
  everydayArtMedia: MEDIA,
  sizes: ['id', 'label', 'sizeCategory', 'widthMm', 'heightMm'],
  mouldings: MOULDING,
  matboards: [
    'id',
    'name',
    'clientTitle',
    'colour',
    'colourHex',
    'coreColour',
    'coreColourHex',
    'isAcidFree',
    'isMuseumGrade',
    'qualityTierIds',
  ],
  glazing: ['id', 'name', 'clientTitle', 'description', 'imageUrl', 'isUvProtective', 'isAntiReflective', 'isAcrylic', 'qualityTierIds'],
  backing: ['id', 'name', 'clientTitle', 'description', 'imageUrl', 'isAcidFree', 'qualityTierIds'],
  qualityTiers: ['id', 'name', 'slug', 'description', 'imageUrl'],
  sleeves: ['sizeCode', 'widthMm', 'heightMm'],
};

export function presentCatalogueRow(section: StoredSection, row: object): Record<string, unknown> {
  const fields = row as Record<string, unknown>;
  return Object.fromEntries(SECTION_FIELDS[section].map((field) => [field, fields[field] ?? null]));
}

/** The twelve sections of `GET /catalogue`. `canvasMouldings` is the float-suitable subset of `mouldings`. */
export function presentCatalogue(stored: StoredCatalogue): Record<keyof Catalogue, Record<string, unknown>[]> {
  const sections = STORED_SECTIONS.flatMap((name) => {
    const rows = stored[name].map((row) => presentCatalogueRow(name, row));
    if (name !== 'mouldings') return [[name, rows]];
    return [
      [name, rows],
      ['canvasMouldings', rows.filter(({ canvasFloatSuitable }) => canvasFloatSuitable === true)],
    ];
  });
  return Object.fromEntries(sections) as Record<keyof Catalogue, Record<string, unknown>[]>;
}
