import type { operations } from '../../generated/studio';

export type Section = operations['listSection']['parameters']['path']['section'];

/** The input of a field. */
type Kind = 'id' | 'text' | 'long' | 'integer' | 'boolean' | 'choice' | 'colour' | 'tiers';

export interface Field {
  name: string;
  label: string;
  kind: Kind;
  help?: string;
  optional?: boolean;
  choices?: readonly string[];
  shown?: boolean;
}

const id: Field = { name: 'id', label: 'ID', kind: 'id', help: 'Letters, digits and . _ -. It cannot change later.' };
const name: Field = { name: 'name', label: 'Name', kind: 'text' };
const title: Field = {
  name: 'clientTitle',
  label: 'Title for clients',
  kind: 'text',
  optional: true,
  help: 'Shown instead of the name in some shops.',
};
const description: Field = { name: 'description', label: 'Description', kind: 'long', optional: true };
const image: Field = { name: 'imageUrl', label: 'Image URL', kind: 'text', optional: true };
const millimetres = (field: string, label: string, optional = false): Field => ({
  name: field,
  label: `${label} (mm)`,
  kind: 'integer',
  optional,
  shown: true,
});
const flag = (field: string, label: string, shown = true): Field => ({ name: field, label, kind: 'boolean', shown });
const colour = (field: string, label: string, optional = false): Field => ({ name: field, label, kind: 'text', optional, shown: true });
const hex = (field: string, label: string): Field => ({ name: field, label, kind: 'colour', optional: true, help: 'Such as #1A2B3C' });
const tiers: Field = { name: 'qualityTierIds', label: 'Quality tiers', kind: 'tiers', optional: true };

const paper = (surface: Field): readonly Field[] => [
  id,
  name,
  title,
  description,
  image,
  { name: 'storefrontTier', label: 'Shop tier', kind: 'choice', choices: ['basic', 'advanced'], shown: true },
  surface,
  { name: 'gramsPerSqm', label: 'Weight (g/m²)', kind: 'integer', optional: true, shown: true },
  millimetres('maxPrintWidthMm', 'Maximum print width', true),
  flag('supportsTornEdge', 'Torn edge'),
];
const surface: Field = { name: 'surfaceType', label: 'Surface', kind: 'text', shown: true };

/** The fields have the order of the trade catalogue. */
export const SECTIONS: Readonly<Record<Section, { title: string; one: string; fields: readonly Field[] }>> = {
  products: {
    title: 'Products',
    one: 'product',
    fields: [
      { name: 'slug', label: 'ID', kind: 'id' },
      name,
      { name: 'description', label: 'Description', kind: 'long' },
      { name: 'category', label: 'Category', kind: 'text', optional: true, shown: true },
      flag('requiresArtwork', 'Artwork required'),
    ],
  },
  media: { title: 'Fine art papers', one: 'paper', fields: paper(surface) },
  canvasMedia: { title: 'Canvases', one: 'canvas', fields: paper({ ...surface, kind: 'choice', choices: ['canvas'], shown: false }) },
  everydayArtMedia: { title: 'Everyday papers', one: 'paper', fields: paper(surface) },
  sizes: {
    title: 'Sizes',
    one: 'size',
    fields: [
      id,
      { name: 'label', label: 'Name', kind: 'text' },
      { name: 'sizeCategory', label: 'Category', kind: 'text', shown: true },
      millimetres('widthMm', 'Width'),
      millimetres('heightMm', 'Height'),
    ],
  },
  mouldings: {
    title: 'Mouldings',
    one: 'moulding',
    fields: [
      id,
      name,
      title,
      millimetres('widthMm', 'Width'),
      millimetres('depthMm', 'Depth', true),
      { ...millimetres('maxLengthMm', 'Maximum length', true), shown: false },
      { ...millimetres('cuttingAllowanceMm', 'Cutting allowance', true), shown: false },
      colour('colour', 'Colour'),
      hex('colourHex', 'Screen colour'),
      image,
      flag('canvasFloatSuitable', 'Canvas float'),
      tiers,
    ],
  },
  matboards: {
    title: 'Mats',
    one: 'mat',
    fields: [
      id,
      name,
      title,
      colour('colour', 'Colour'),
      hex('colourHex', 'Screen colour'),
      colour('coreColour', 'Core', true),
      hex('coreColourHex', 'Screen colour of the core'),
      flag('isAcidFree', 'Acid-free'),
      flag('isMuseumGrade', 'Museum grade'),
      tiers,
    ],
  },
  glazing: {
    title: 'Glazing',
    one: 'glazing',
    fields: [
      id,
      name,
      title,
      description,
      image,
      flag('isUvProtective', 'UV protection'),
      flag('isAntiReflective', 'Anti-reflective'),
      flag('isAcrylic', 'Acrylic'),
      tiers,
    ],
  },
  backing: { title: 'Backing', one: 'backing', fields: [id, name, title, description, image, flag('isAcidFree', 'Acid-free'), tiers] },
  qualityTiers: {
    title: 'Quality tiers',
    one: 'quality tier',
    fields: [id, name, { name: 'slug', label: 'Slug', kind: 'text', shown: true }, description, image],
  },
  sleeves: {
    title: 'Sleeves',
    one: 'sleeve',
    fields: [{ ...id, name: 'sizeCode', label: 'Size' }, millimetres('widthMm', 'Width'), millimetres('heightMm', 'Height')],
  },
};

export const SECTION_NAMES = Object.keys(SECTIONS) as Section[];
