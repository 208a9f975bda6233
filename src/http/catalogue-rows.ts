import Joi from 'joi';
import {
  type Catalogue,
  CATALOGUE_ID,
  CATALOGUE_ID_DESCRIPTION,
  type MouldingRow,
  STORED_SECTIONS,
  type StoredCatalogue,
  type StoredCatalogueSection,
  STOREFRONT_TIERS,
} from '../domain/catalogue';
import { dayIssue } from '../domain/field-formats';
import { isMaterialSection } from '../domain/materials';
import { ORDERABLE_SLUGS } from '../domain/orderable-products';
import * as json from './openapi/json';
import { responseSchemaOf } from './openapi/response-schema';
import {
  booleanField,
  checkedField,
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

const rowIdField = idField.description('the id of the row in requests; it never changes');

const nameField = textField(1, 200).description('the name');

const descriptionField = nullable(textField(1, 2000)).description('the description');

const imageUrlField = nullable(webUrlField()).description('the URL of a picture');

const millimetresField = integerField(1, 100_000).description('in millimeters');

const colourField = textField(1, 100).description('the color in words');

const hexField = nullable(patternField(/^#[0-9A-Fa-f]{6}$/, 'a color such as #1A2B3C')).description('the color for screens');

const acidFreeField = booleanField().description('whether the material is acid-free');

const qualityTierIdsField = nullable(listField(idField, 0, 100)).description('the tiers that allow the material; null means all');

const material = { id: rowIdField, name: nameField, clientTitle: nullable(textField(1, 200)).description('the name for customers') };

const described = { ...material, description: descriptionField, imageUrl: imageUrlField };

const SURFACE_DESCRIPTION = 'the surface, such as `matte` or `canvas`';

const medium = {
  ...described,
  storefrontTier: oneOfField(STOREFRONT_TIERS).description('`basic`: house stock; `advanced`: museum and archival stock'),
  surfaceType: textFieldExcept(1, 50, /^canvas$/, 'must not be canvas, which only canvasMedia uses').description(SURFACE_DESCRIPTION),
  gramsPerSqm: nullable(integerField(1, 10_000)).description('the weight of the stock; null if it is not published'),
  maxPrintWidthMm: nullable(millimetresField).description('the limit for the short edge of the printed sheet; null is no limit'),
  supportsTornEdge: booleanField().description('whether the finish `tornEdge` is possible'),
};

type FieldsOfRow<S extends StoredCatalogueSection> = Readonly<Record<keyof StoredCatalogue[S][number], Joi.Schema>>;

const FIELDS: { readonly [S in StoredCatalogueSection]: FieldsOfRow<S> } = {
  products: {
    slug: oneOfField(ORDERABLE_SLUGS).description('the id of the row in requests; it never changes'),
    name: nameField,
    description: textField(0, 2000).description('the description'),
    category: nullable(textField(1, 100)).description('the group of the product'),
    requiresArtwork: booleanField().description('whether a line needs an `imageUrl`'),
  },
  media: medium,
  canvasMedia: { ...medium, surfaceType: oneOfField(['canvas']).description(SURFACE_DESCRIPTION) },
  everydayArtMedia: medium,
  sizes: {
    id: rowIdField,
    label: nameField.description('the name, such as `A4`'),
    sizeCategory: textField(1, 100).description('the group of the size'),
    widthMm: millimetresField,
    heightMm: millimetresField,
  },
  mouldings: {
    ...material,
    widthMm: millimetresField.description('the width of the face in millimeters'),
    depthMm: nullable(millimetresField).description('the depth in millimeters; null if it is not published'),
    maxLengthMm: nullable(millimetresField).description('the maximum length; null without a published limit'),
    cuttingAllowanceMm: nullable(integerField(0, 100_000)).description(
      'millimeters of moulding that a frame needs besides its four sides; null is eight widths',
    ),
    colour: colourField,
    colourHex: hexField,
    imageUrl: imageUrlField,
    canvasFloatSuitable: booleanField().description('whether the moulding fits a float frame'),
    qualityTierIds: qualityTierIdsField,
  },
  matboards: {
    ...material,
    colour: colourField,
    colourHex: hexField,
    coreColour: nullable(colourField).description('the color of the bevel in words'),
    coreColourHex: hexField,
    isAcidFree: acidFreeField,
    isMuseumGrade: booleanField().description('whether the board has museum grade'),
    qualityTierIds: qualityTierIdsField,
  },
  glazing: {
    ...described,
    isUvProtective: booleanField().description('whether it filters ultraviolet light'),
    isAntiReflective: booleanField().description('whether it reduces reflections'),
    isAcrylic: booleanField().description('true is acrylic, false is glass'),
    qualityTierIds: qualityTierIdsField,
  },
  backing: { ...described, isAcidFree: acidFreeField, qualityTierIds: qualityTierIdsField },
  qualityTiers: {
    id: rowIdField,
    name: nameField,
    slug: idField.description('the name in URLs'),
    description: descriptionField,
    imageUrl: imageUrlField,
  },
  sleeves: {
    sizeCode: idField.description('the value of the variant key `sleeve`'),
    widthMm: millimetresField,
    heightMm: millimetresField,
  },
};

/** The component of each section in the contract. */
const COMPONENT_NAMES = {
  products: 'Product',
  media: 'Medium',
  sizes: 'Size',
  mouldings: 'Moulding',
  matboards: 'Matboard',
  glazing: 'Glazing',
  backing: 'Backing',
  qualityTiers: 'QualityTier',
  sleeves: 'Sleeve',
} as const;

/** Fields that clients do not see. */
const STUDIO_FIELDS: ReadonlySet<string> = new Set<keyof MouldingRow>(['cuttingAllowanceMm']);
const isPublic = (field: string): boolean => !STUDIO_FIELDS.has(field);

function rowSchema(name: string, section: StoredCatalogueSection, isShown: (field: string) => boolean): json.JsonSchema {
  const fields = Object.entries(FIELDS[section]).filter(([field]) => isShown(field));
  return json.resource(
    name,
    Object.fromEntries(fields.map(([field, schema]) => [field, responseSchemaOf(schema)])) as json.Fields<Record<string, unknown>>,
  );
}

const COMPONENTS = Object.fromEntries(
  Object.entries(COMPONENT_NAMES).map(([section, name]) => [section, rowSchema(name, section as StoredCatalogueSection, isPublic)]),
) as Record<keyof typeof COMPONENT_NAMES, json.JsonSchema>;

/** The rows of each section in responses of the trade API. */
export const CATALOGUE_ROWS: Readonly<Record<keyof Catalogue, json.JsonSchema>> = {
  ...COMPONENTS,
  canvasMedia: COMPONENTS.media,
  everydayArtMedia: COMPONENTS.media,
  canvasMouldings: COMPONENTS.mouldings,
};
/** The rows of each section in responses of the studio API. */
export const STUDIO_CATALOGUE_ROWS = { ...CATALOGUE_ROWS, mouldings: rowSchema('StudioMoulding', 'mouldings', () => true) };

/** The schema of a complete row; `withdrawn` and, for materials, `outOfStockUntil` are optional. */
export const CATALOGUE_ROW = Object.fromEntries(
  Object.entries(FIELDS).map(([section, fields]) => [
    section,
    Joi.object({
      ...Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, schema.required()])),
      withdrawn: booleanField(),
      ...(isMaterialSection(section as StoredCatalogueSection) && { outOfStockUntil: nullable(checkedField({ kind: 'date' }, dayIssue)) }),
    }),
  ]),
) as Record<StoredCatalogueSection, Joi.ObjectSchema>;

/** The fields of the rows in responses, in the order of the contract. */
export const SECTION_FIELDS = Object.fromEntries(
  Object.entries(FIELDS).map(([section, fields]) => [section, Object.keys(fields)]),
) as unknown as Record<StoredCatalogueSection, readonly string[]>;

/** A row with all fields, for the studio. */
export const presentCatalogueRow = (section: StoredCatalogueSection, row: object): Record<string, unknown> =>
  pick(row, SECTION_FIELDS[section]);

const pick = (row: object, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, (row as Record<string, unknown>)[field] ?? null]));

/** The twelve sections of `GET /catalogue`. `canvasMouldings` is the float-suitable subset of `mouldings`. */
export function presentCatalogue(stored: StoredCatalogue): Record<keyof Catalogue, Record<string, unknown>[]> {
  const sections = STORED_SECTIONS.flatMap((name) => {
    const rows = stored[name].map((row) => pick(row, SECTION_FIELDS[name].filter(isPublic)));
    if (name !== 'mouldings') return [[name, rows]];
    return [
      [name, rows],
      ['canvasMouldings', rows.filter(({ canvasFloatSuitable }) => canvasFloatSuitable === true)],
    ];
  });
  return Object.fromEntries(sections) as Record<keyof Catalogue, Record<string, unknown>[]>;
}
