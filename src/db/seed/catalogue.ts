import type {
  BackingRow,
  GlazingRow,
  MatboardRow,
  ProductRow,
  QualityTierRow,
  SizeRow,
  SleeveRow,
  StoredCatalogue,
} from '../../domain/catalogue';
import { CANVAS_MEDIA, EVERYDAY_ART_MEDIA, MEDIA } from './media';
import { CONSERVATION, ESSENTIAL, MOULDINGS, MUSEUM } from './mouldings';

const product = (slug: string, name: string, category: string, description: string): ProductRow => ({
  slug,
  name,
  description,
  category,
  requiresArtwork: true,
});

const PRODUCTS: ProductRow[] = [
  product('fine-art-printing', 'Fine art print', 'prints', 'Pigment print on a fine-art or photographic paper'),
  product('everyday-art-prints', 'Everyday art print', 'prints', 'Economical print on an Everyday Art stock'),
  product('print-and-mat', 'Print and mat', 'prints', 'Print in a window mount with a backing board'),
  product('custom-framing', 'Custom framing', 'framing', 'Print framed to measure, ready to hang'),
  product('canvas-printing', 'Canvas print', 'canvas', 'Print on canvas, rolled or stretched over a frame'),
];

const QUALITY_TIERS: QualityTierRow[] = [
  { id: ESSENTIAL, name: 'Essential', slug: 'essential', description: 'Sound materials for decoration', imageUrl: null },
  {
    id: CONSERVATION,
    name: 'Conservation',
    slug: 'conservation',
    description: 'Acid-free materials that protect from light',
    imageUrl: null,
  },
  { id: MUSEUM, name: 'Museum', slug: 'museum', description: 'Museum-grade materials throughout', imageUrl: null },
];

type MatGrade = 'decor' | 'acid-free' | 'museum';
function matboard(
  id: string,
  name: string,
  hex: string,
  coreColour: string,
  grade: MatGrade,
  qualityTierIds: string[] | null,
): MatboardRow {
  const coreColourHex = coreColour === 'black' ? '#1A1A1A' : coreColour === 'white' ? '#FFFFFF' : '#F4EEDF';
  return {
    id: `mat-${id}`,
    name,
    clientTitle: null,
    colour: name.toLowerCase(),
    colourHex: hex,
    coreColour,
    coreColourHex,
    isAcidFree: grade !== 'decor',
    isMuseumGrade: grade === 'museum',
    qualityTierIds,
  };
}

const MATBOARDS: MatboardRow[] = [
  matboard('white', 'White', '#FAFAF7', 'white', 'acid-free', null),
  matboard('warm-white', 'Warm white', '#F6F1E4', 'white', 'acid-free', null),
  matboard('cream', 'Cream', '#EFE6CF', 'cream', 'acid-free', null),
  matboard('black', 'Black', '#1C1C1C', 'white', 'acid-free', null),
  matboard('black-core', 'Black, black core', '#1C1C1C', 'black', 'acid-free', [CONSERVATION, MUSEUM]),
  matboard('dove-grey', 'Dove grey', '#BFC1BE', 'white', 'acid-free', [ESSENTIAL, CONSERVATION]),
  matboard('slate', 'Slate', '#5B6468', 'white', 'acid-free', [ESSENTIAL, CONSERVATION]),
  matboard('navy', 'Navy', '#20304F', 'white', 'decor', [ESSENTIAL]),
  matboard('sage', 'Sage', '#A8B39A', 'white', 'decor', [ESSENTIAL]),
  matboard('blush', 'Blush', '#E4C3B8', 'white', 'decor', [ESSENTIAL]),
  matboard('ochre', 'Ochre', '#C48F3A', 'white', 'decor', [ESSENTIAL]),
  matboard('kraft', 'Kraft', '#B08E64', 'cream', 'decor', [ESSENTIAL]),
  matboard('rag-white', 'Cotton rag white', '#FCFBF6', 'white', 'museum', [CONSERVATION, MUSEUM]),
  matboard('rag-natural', 'Cotton rag natural', '#F3ECDC', 'cream', 'museum', [CONSERVATION, MUSEUM]),
  matboard('rag-antique', 'Cotton rag antique', '#E9DFC8', 'cream', 'museum', [MUSEUM]),
];

type GlazingTraits = Partial<Pick<GlazingRow, 'isUvProtective' | 'isAntiReflective' | 'isAcrylic'>>;
function glazing(
  id: string,
  name: string,
  clientTitle: string,
  description: string,
  qualityTierIds: string[] | null,
  traits: GlazingTraits,
): GlazingRow {
  const plain = { isUvProtective: false, isAntiReflective: false, isAcrylic: false };
  return { id: `glazing-${id}`, name, clientTitle, description, imageUrl: null, ...plain, ...traits, qualityTierIds };
}

const UV: GlazingTraits = { isUvProtective: true };
const ACRYLIC: GlazingTraits = { isAcrylic: true };

const GLAZING: GlazingRow[] = [
  glazing('clear-glass-2', 'Clear glass 2 mm', 'Clear glass', 'Float glass', [ESSENTIAL], {}),
  glazing('clear-acrylic-2', 'Clear acrylic 2 mm', 'Clear acrylic', 'Light and unbreakable', null, ACRYLIC),
  glazing('uv-glass-2', 'UV glass 2 mm', 'Conservation glass', 'Blocks most ultraviolet light', [ESSENTIAL, CONSERVATION], UV),
  glazing('uv-acrylic-3', 'UV acrylic 3 mm', 'Conservation acrylic', 'Blocks ultraviolet light, unbreakable', [CONSERVATION, MUSEUM], {
    ...UV,
    ...ACRYLIC,
  }),
  glazing('museum-acrylic-3', 'Museum acrylic 3 mm', 'Museum acrylic', 'Ultraviolet filter, almost no reflection', [MUSEUM], {
    ...UV,
    ...ACRYLIC,
    isAntiReflective: true,
  }),
];

const backing = (id: string, name: string, description: string, isAcidFree: boolean, qualityTierIds: string[] | null): BackingRow => ({
  id: `backing-${id}`,
  name,
  clientTitle: null,
  description,
  imageUrl: null,
  isAcidFree,
  qualityTierIds,
});

const BACKING: BackingRow[] = [
  backing('mdf-3', 'MDF 3 mm', 'Firm and plain', false, [ESSENTIAL]),
  backing('foam-5', 'Foam board 5 mm', 'Light', true, null),
  backing('corrugated-3', 'Acid-free corrugated board 3 mm', 'Buffered', true, [CONSERVATION, MUSEUM]),
  backing('composite-3', 'Aluminium composite 3 mm', 'Flat and inert', true, [MUSEUM]),
];

const size = (id: string, label: string, sizeCategory: string, widthMm: number, heightMm: number): SizeRow => ({
  id: `size-${id}`,
  label,
  sizeCategory,
  widthMm,
  heightMm,
});

const SIZES: SizeRow[] = [
  size('a5', 'A5', 'iso', 148, 210),
  size('a4', 'A4', 'iso', 210, 297),
  size('a3', 'A3', 'iso', 297, 420),
  size('a2', 'A2', 'iso', 420, 594),
  size('a1', 'A1', 'iso', 594, 841),
  size('a0', 'A0', 'iso', 841, 1189),
  size('4x6', '4 × 6 in', 'photographic', 102, 152),
  size('5x7', '5 × 7 in', 'photographic', 127, 178),
  size('8x10', '8 × 10 in', 'photographic', 203, 254),
  size('8x12', '8 × 12 in', 'photographic', 203, 305),
  size('11x14', '11 × 14 in', 'photographic', 279, 356),
  size('12x18', '12 × 18 in', 'photographic', 305, 457),
  size('16x20', '16 × 20 in', 'photographic', 406, 508),
  size('16x24', '16 × 24 in', 'photographic', 406, 610),
  size('20x30', '20 × 30 in', 'photographic', 508, 762),
  size('24x36', '24 × 36 in', 'photographic', 610, 914),
  size('30x40', '30 × 40 in', 'photographic', 762, 1016),
  size('40x60', '40 × 60 in', 'photographic', 1016, 1524),
  size('square-200', '200 × 200 mm', 'square', 200, 200),
  size('square-300', '300 × 300 mm', 'square', 300, 300),
  size('square-500', '500 × 500 mm', 'square', 500, 500),
  size('square-800', '800 × 800 mm', 'square', 800, 800),
];

const SLEEVES: SleeveRow[] = [
  { sizeCode: 'A4', widthMm: 210, heightMm: 297 },
  { sizeCode: 'A3', widthMm: 297, heightMm: 420 },
  { sizeCode: 'A2', widthMm: 420, heightMm: 594 },
  { sizeCode: 'A1', widthMm: 594, heightMm: 841 },
];

export const SEED_CATALOGUE: StoredCatalogue = {
  products: PRODUCTS,
  media: MEDIA,
  canvasMedia: CANVAS_MEDIA,
  everydayArtMedia: EVERYDAY_ART_MEDIA,
  sizes: SIZES,
  mouldings: MOULDINGS,
  matboards: MATBOARDS,
  glazing: GLAZING,
  backing: BACKING,
  qualityTiers: QUALITY_TIERS,
  sleeves: SLEEVES,
};
