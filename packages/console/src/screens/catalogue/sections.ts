import type { operations } from '../../generated/studio';

export type Section = operations['listSection']['parameters']['path']['section'];

/** How a field is put in. `tiers` is a list of quality tiers, `json` what is nested and has no form of its own. */
type Kind = 'id' | 'text' | 'long' | 'whole' | 'yes' | 'choice' | 'colour' | 'tiers' | 'json';

export interface Field {
  name: string;
  label: string;
  kind: Kind;
  help?: string;
  optional?: boolean;
  choices?: readonly string[];
  shown?: boolean;
}

const id: Field = { name: 'id', label: 'Id', kind: 'id', help: 'Letters, digits and . _ -; clients send it, and it never changes.' };
const name: Field = { name: 'name', label: 'Name', kind: 'text' };
const title: Field = {
  name: 'clientTitle',
  label: 'Title for clients',
  kind: 'text',
  optional: true,
  help: 'Shown instead of the name where clients want it.',
};
const description: Field = { name: 'description', label: 'Description', kind: 'long', optional: true };
const image: Field = { name: 'imageUrl', label: 'Address of a picture', kind: 'text', optional: true };
const millimetres = (field: string, label: string, optional = false): Field => ({
  name: field,
  label: `${label} (mm)`,
  kind: 'whole',
  optional,
  shown: true,
});
const yes = (field: string, label: string, shown = true): Field => ({ name: field, label, kind: 'yes', shown });
const colour = (field: string, label: string, optional = false): Field => ({ name: field, label, kind: 'text', optional, shown: true });
const hex = (field: string, label: string): Field => ({ name: field, label, kind: 'colour', optional: true, help: 'Such as #1A2B3C.' });
const tiers: Field = { name: 'qualityTierIds', label: 'Quality tiers', kind: 'tiers', optional: true };

const paper = (surface: Field): readonly Field[] => [
  id,
  name,
  title,
  description,
  image,
  { name: 'storefrontTier', label: 'Tier in the shop', kind: 'choice', choices: ['basic', 'advanced'], shown: true },
  surface,
  { name: 'gramsPerSqm', label: 'Weight (g/m²)', kind: 'whole', optional: true, shown: true },
  millimetres('maxPrintWidthMm', 'Widest print', true),
  yes('supportsTornEdge', 'Torn edge'),
];
const surface: Field = { name: 'surfaceType', label: 'Surface', kind: 'text', shown: true };

/** What each section is called, and the fields of its rows as the trade catalogue has them, in that order. */
export const SECTIONS: Readonly<Record<Section, { title: string; one: string; fields: readonly Field[] }>> = {
  products: {
    title: 'Products',
    one: 'product',
    fields: [
      { name: 'slug', label: 'Id', kind: 'id' },
      name,
      { name: 'description', label: 'Description', kind: 'long' },
      { name: 'category', label: 'Category', kind: 'text', optional: true, shown: true },
      yes('requiresArtwork', 'Needs artwork'),
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
      { ...millimetres('maxLengthMm', 'Longest', true), shown: false },
      colour('colour', 'Colour'),
      hex('colourHex', 'Colour on screens'),
      image,
      yes('canvasFloatSuitable', 'For floating canvases'),
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
      hex('colourHex', 'Colour on screens'),
      colour('coreColour', 'Core', true),
      hex('coreColourHex', 'Core on screens'),
      yes('isAcidFree', 'Acid free'),
      yes('isMuseumGrade', 'Museum grade'),
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
      yes('isUvProtective', 'Protects from UV'),
      yes('isAntiReflective', 'Without reflections'),
      yes('isAcrylic', 'Acrylic'),
      tiers,
    ],
  },
  backing: { title: 'Backing', one: 'backing', fields: [id, name, title, description, image, yes('isAcidFree', 'Acid free'), tiers] },
  qualityTiers: {
    title: 'Quality tiers',
    one: 'quality tier',
    fields: [id, name, { name: 'slug', label: 'Short name', kind: 'text', shown: true }, description, image],
  },
  sleeves: {
    title: 'Sleeves',
    one: 'sleeve',
    fields: [{ ...id, name: 'sizeCode', label: 'Size' }, millimetres('widthMm', 'Width'), millimetres('heightMm', 'Height')],
  },
};

export const SECTION_NAMES = Object.keys(SECTIONS) as Section[];

export function sectionOf(named: string | undefined): Section {
  return SECTION_NAMES.find((section) => section === named) ?? 'products';
}
