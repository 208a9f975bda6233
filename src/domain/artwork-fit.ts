/** What happens to a picture whose shape differs from its print (ruling 97). */
export const ARTWORK_FITS = ['fill', 'fit'] as const;
export type ArtworkFit = (typeof ARTWORK_FITS)[number];

/** The value of the variant key `artworkFit`; null without one. Other values count as none. */
export const readArtworkFit = (value: string | undefined): ArtworkFit | null => ARTWORK_FITS.find((fit) => fit === value) ?? null;
