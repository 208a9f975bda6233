import Joi from 'joi';
import {
  type Catalogue,
  CATALOGUE_ID,
  CATALOGUE_ID_DESCRIPTION,
  STORED_SECTIONS,
  type StoredCatalogue,
  type StoredCatalogueSection,
  STOREFRONT_TIERS,
} from '../domain/catalogue';
import { ORDERABLE_SLUGS } from '../domain/orderable-products';
import {
  booleanField,
  integerField,
  listField,
  oneOfField,
  nullable,
  textFieldExcept,
  textField,
  patternField,
  webUrlField,
} from './schemas/text';

const idField = patternField(CATALOGUE_ID, CATALOGUE_ID_DESCRIPTION);

const nameField = textField(1, 200);

const descriptionField = nullable(textField(1, 2000));

const imageUrlField = nullable(webUrlField());

const millimetresField = integerField(1, 100_000);

const colourField = textField(1, 100);

const hexField = nullable(patternField(/^#[0-9A-Fa-f]{6}$/, 'a color such as #1A2B3C'));

const qualityTierIdsField = nullable(listField(idField, 0, 100));

const material = { id: idField, name: nameField, clientTitle: nullable(textField(1, 200)) };

const described = { ...material, description: descriptionField, imageUrl: imageUrlField };

const mediaField = {
  ...described,
  storefrontTier: oneOfField(STOREFRONT_TIERS),
  surfaceType: textFieldExcept(1, 50, /^canvas$/, 'must not be canvas, which only canvasMedia uses'),
  gramsPerSqm: nullable(integerField(1, 10_000)),
  maxPrintWidthMm: nullable(millimetresField),
  supportsTornEdge: booleanField(),
};

const FIELDS: Record<StoredCatalogueSection, Record<string, Joi.Schema>> = {
  products: {
    slug: oneOfField(ORDERABLE_SLUGS),
    name: nameField,
    description: textField(0, 2000),
    category: nullable(textField(1, 100)),
    requiresArtwork: booleanField(),
  },
  media: mediaField,
  canvasMedia: { ...mediaField, surfaceType: oneOfField(['canvas']) },
  everydayArtMedia: mediaField,
  sizes: { id: idField, label: nameField, sizeCategory: textField(1, 100), widthMm: millimetresField, heightMm: millimetresField },
  mouldings: {
    ...material,
    widthMm: millimetresField,
    depthMm: nullable(millimetresField),
    maxLengthMm: nullable(millimetresField),
    colour: colourField,
    colourHex: hexField,
    imageUrl: imageUrlField,
    canvasFloatSuitable: booleanField(),
    qualityTierIds: qualityTierIdsField,
  },
  matboards: {
    ...material,
    colour: colourField,
    colourHex: hexField,
    coreColour: nullable(colourField),
    coreColourHex: hexField,
    isAcidFree: booleanField(),
    isMuseumGrade: booleanField(),
    qualityTierIds: qualityTierIdsField,
  },
  glazing: {
    ...described,
    isUvProtective: booleanField(),
    isAntiReflective: booleanField(),
    isAcrylic: booleanField(),
    qualityTierIds: qualityTierIdsField,
  },
  backing: {
    ...described,
    isAcidFree: booleanField(),
    qualityTierIds: qualityTierIdsField,
  },
  qualityTiers: { id: idField, name: nameField, slug: idField, description: descriptionField, imageUrl: imageUrlField },
  sleeves: { sizeCode: idField, widthMm: millimetresField, heightMm: millimetresField },
};

/** The schema of a complete row; `withdrawn` is optional. */
export const CATALOGUE_ROW = Object.fromEntries(
  Object.entries(FIELDS).map(([section, fields]) => [
    section,
    Joi.object({
      ...Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, schema.required()])),
      withdrawn: booleanField(),
    }),
  ]),
) as Record<StoredCatalogueSection, Joi.ObjectSchema>;

/** The fields of the rows in responses, in the order of the contract. */
export const SECTION_FIELDS = Object.fromEntries(
  Object.entries(FIELDS).map(([section, fields]) => [section, Object.keys(fields)]),
) as unknown as Record<StoredCatalogueSection, readonly string[]>;

export function presentCatalogueRow(section: StoredCatalogueSection, row: object): Record<string, unknown> {
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
