import type { Catalogue, MediaSection } from './catalogue';

interface AcceptedSections {
  media: MediaSection;
  /** Further sections of the catalogue whose rows the product accepts. */
  parts: readonly Exclude<keyof Catalogue, 'products' | 'qualityTiers' | MediaSection>[];
}

/** The products that the API accepts, with the catalogue sections of their rows. */
const SECTIONS_BY_PRODUCT = {
  'fine-art-printing': { media: 'media', parts: ['sleeves'] },
  // Also accepts the sleeves that the price book lists for it.
  'everyday-art-prints': { media: 'everydayArtMedia', parts: [] },
  'print-and-mat': { media: 'media', parts: ['matboards'] },
  'custom-framing': { media: 'media', parts: ['mouldings', 'matboards', 'glazing', 'backing'] },
  'canvas-printing': { media: 'canvasMedia', parts: ['canvasMouldings'] },
} as const satisfies Record<string, AcceptedSections>;

export type OrderableSlug = keyof typeof SECTIONS_BY_PRODUCT;
export const ORDERABLE_SLUGS = Object.keys(SECTIONS_BY_PRODUCT) as OrderableSlug[];

export const isOrderable = (slug: string): slug is OrderableSlug => Object.hasOwn(SECTIONS_BY_PRODUCT, slug);

/** Returns the section of a product's `mediaId`; `media` for a product that cannot be ordered. */
export const mediaSectionOf = (slug: string): MediaSection => (isOrderable(slug) ? SECTIONS_BY_PRODUCT[slug].media : 'media');

export function productsAccepting(section: AcceptedSections['parts'][number] | MediaSection): OrderableSlug[] {
  return ORDERABLE_SLUGS.filter((slug) => {
    const { media, parts }: AcceptedSections = SECTIONS_BY_PRODUCT[slug];
    return media === section || parts.some((part) => part === section);
  });
}
