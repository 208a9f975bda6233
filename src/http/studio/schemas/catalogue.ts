import Joi from 'joi';
import { documented } from '../../schemas/documented';
import type { JsonSchema } from '../../schemas/kinds';
import { CATALOGUE_ID, CATALOGUE_ID_FORM, STOREFRONT_TIERS, type StoredSection } from '../../../domain/catalogue';
import { ORDERABLE_SLUGS } from '../../../domain/orderable-products';
import { listOf, textExcept, textLike, webUrl } from './fields';
import { boolean, integer, oneOf, text } from '../../schemas/text';

const id = textLike(CATALOGUE_ID, CATALOGUE_ID_FORM);
const name = text(1, 200);
const orNull = (schema: Joi.Schema): Joi.Schema => schema.allow(null);
const description = orNull(text(1, 2000));
const clientTitle = orNull(text(1, 200));
const imageUrl = orNull(webUrl());
const millimetres = integer(1, 100_000);
const colour = text(1, 100);
const hex = orNull(textLike(/^#[0-9A-Fa-f]{6}$/, 'a colour such as #1A2B3C'));
const qualityTierIds = orNull(listOf(id, 0, 100));

const media = {
  id,
  name,
  clientTitle,
  description,
  imageUrl,
  storefrontTier: oneOf(STOREFRONT_TIERS),
  surfaceType: textExcept(1, 50, /^canvas$/, 'canvas is for rows of canvasMedia'),
  gramsPerSqm: orNull(integer(1, 10_000)),
  maxPrintWidthMm: orNull(millimetres),
  supportsTornEdge: boolean(),
};

const FIELDS: Record<StoredSection, Record<string, Joi.Schema>> = {
  products: {
    slug: oneOf(ORDERABLE_SLUGS),
    name,
    description: text(0, 2000),
    category: orNull(text(1, 100)),
    requiresArtwork: boolean(),
  },
  media,
  canvasMedia: { ...media, surfaceType: oneOf(['canvas']) },
  everydayArtMedia: media,
  sizes: { id, label: name, sizeCategory: text(1, 100), widthMm: millimetres, heightMm: millimetres },
  mouldings: {
    id,
    name,
    clientTitle,
    widthMm: millimetres,
    depthMm: orNull(millimetres),
    maxLengthMm: orNull(millimetres),
    colour,
    colourHex: hex,
    imageUrl,
    canvasFloatSuitable: boolean(),
    qualityTierIds,
  },
  matboards: {
    id,
    name,
    clientTitle,
    colour,
    colourHex: hex,
    coreColour: orNull(colour),
    coreColourHex: hex,
    isAcidFree: boolean(),
    isMuseumGrade: boolean(),
    qualityTierIds,
  },
  glazing: {
    id,
    name,
    clientTitle,
    description,
    imageUrl,
    isUvProtective: boolean(),
    isAntiReflective: boolean(),
    isAcrylic: boolean(),
    qualityTierIds,
  },
  backing: { id, name, clientTitle, description, imageUrl, isAcidFree: boolean(), qualityTierIds },
  qualityTiers: { id, name, slug: id, description, imageUrl },
  sleeves: { sizeCode: id, widthMm: millimetres, heightMm: millimetres },
};

/** A whole row of a section: every field of the specification's "Catalogue", null where it says so; `withdrawn` may be left out. */
export const CATALOGUE_ROW = Object.fromEntries(
  Object.entries(FIELDS).map(([section, fields]) => [
    section,
    Joi.object({
      ...Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, schema.required()])),
      withdrawn: boolean(),
    }),
  ]),
) as Record<StoredSection, Joi.ObjectSchema>;

/** As a body has it: its id stands in the path, and may be left out. */
const BODIES = Object.values(CATALOGUE_ROW).map((row) =>
  row.fork(['id', 'slug', 'sizeCode'].filter((field) => hasField(row, field)).slice(0, 1), (field) => field.optional()),
);

function hasField(row: Joi.ObjectSchema, field: string): boolean {
  return Object.hasOwn((row.describe() as { keys: object }).keys, field);
}

/** Any object: what it must hold depends on the section, which the route knows. */
export const anyObject = documented(Joi.object(), (told) => ({ anyOf: different(BODIES.map(told)) }));

/** Sections with the same fields are told once. */
function different(schemas: JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

export const withdrawal = Joi.object({ withdrawn: boolean().required() });

export interface Withdrawal {
  withdrawn: boolean;
}
