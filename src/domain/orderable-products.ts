import type { MediaSection } from './catalogue';

/** What can be ordered through the API, and the section of the catalogue whose stocks it takes (specification "Catalogue"). */
const MEDIA_OF_PRODUCT = {
  'fine-art-printing': 'media',
  'everyday-art-prints': 'everydayArtMedia',
  'print-and-mat': 'media',
  'custom-framing': 'media',
  'canvas-printing': 'canvasMedia',
} as const satisfies Record<string, MediaSection>;

export type OrderableSlug = keyof typeof MEDIA_OF_PRODUCT;
export const ORDERABLE_SLUGS = Object.keys(MEDIA_OF_PRODUCT) as OrderableSlug[];

export const isOrderable = (slug: string): slug is OrderableSlug => Object.hasOwn(MEDIA_OF_PRODUCT, slug);

/** Where a product's `mediaId` is looked up; of one that cannot be ordered, among the papers. */
export const mediaSectionOf = (slug: string): MediaSection => (isOrderable(slug) ? MEDIA_OF_PRODUCT[slug] : 'media');
