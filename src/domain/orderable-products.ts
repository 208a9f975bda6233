import type { Catalogue, MediaSection } from './catalogue';

interface Taken {
  media: MediaSection;
  /** What else of the catalogue it takes, any row of the section. */
  parts: readonly Exclude<keyof Catalogue, 'products' | 'qualityTiers' | MediaSection>[];
}

/** What can be ordered through the API, and which sections of the catalogue it takes rows of (trade endpoints "Catalogue object"). */
const ORDERABLE = {
  'fine-art-printing': { media: 'media', parts: ['sleeves'] },
  // Sleeves too, but only those that the price book lists for it.
  'everyday-art-prints': { media: 'everydayArtMedia', parts: [] },
  'print-and-mat': { media: 'media', parts: ['matboards'] },
  'custom-framing': { media: 'media', parts: ['mouldings', 'matboards', 'glazing', 'backing'] },
  'canvas-printing': { media: 'canvasMedia', parts: ['canvasMouldings'] },
} as const satisfies Record<string, Taken>;

export type OrderableSlug = keyof typeof ORDERABLE;
export const ORDERABLE_SLUGS = Object.keys(ORDERABLE) as OrderableSlug[];

export const isOrderable = (slug: string): slug is OrderableSlug => Object.hasOwn(ORDERABLE, slug);

/** Where a product's `mediaId` is looked up; of one that cannot be ordered, among the papers. */
export const mediaSectionOf = (slug: string): MediaSection => (isOrderable(slug) ? ORDERABLE[slug].media : 'media');

export function takersOf(section: Taken['parts'][number] | MediaSection): OrderableSlug[] {
  return ORDERABLE_SLUGS.filter((slug) => {
    const { media, parts }: Taken = ORDERABLE[slug];
    return media === section || parts.some((part) => part === section);
  });
}
