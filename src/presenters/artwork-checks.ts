import type { CheckedArtwork } from '../db/repositories/checked-artwork';
import { checkArtwork, type ArtworkChecks } from '../domain/artwork-checks';

interface CheckedJob {
  productSlug: string;
  selections: Record<string, string>;
  imageUrl: string | null;
}

/** The checks of a line's picture; null for a line without artwork, or whose upload is gone. */
export function presentArtworkChecks({ imageUrl, ...job }: CheckedJob, artwork: CheckedArtwork): ArtworkChecks | null {
  const row = imageUrl === null ? undefined : artwork.get(imageUrl);
  if (row === undefined) return null;
  if (row === null) return checkArtwork(null, job);
  const { state, width_px: widthPx, height_px: heightPx, has_profile: hasProfile, pages } = row;
  return checkArtwork({ state, widthPx, heightPx, hasProfile, pages }, job);
}
