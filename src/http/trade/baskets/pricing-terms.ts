import { withdrawnKey } from '../../../db/repositories/catalogue';
import { readPricingTerms } from '../../../db/repositories/price-book-reader';
import { findOwnedArtwork } from '../../../db/repositories/checked-artwork';
import type { PricingInput } from '../../../domain/pricing/input';
import type { CheckedArtwork } from '../../../domain/artwork-checks';
import type { HandlerDeps } from '../../deps';

export type PricingTermsWithArtwork = Omit<PricingInput, 'request' | 'ownsArtwork'> & {
  ownsArtwork: (url: string) => boolean;
  /** Of the artwork that the account may order. */
  inspections: CheckedArtwork;
};

/**
 * Loads the current terms for pricing the account's baskets, and which of the artwork it may order. They are not cached: a withdrawn material
 * must not be sold.
 */
export async function loadPricingTerms(
  { database, priceBooks, catalogue }: HandlerDeps,
  accountId: string,
  now: Date,
  artworkUrls: string[] = [],
): Promise<PricingTermsWithArtwork> {
  const [terms, owned] = await database.snapshot((sql) =>
    Promise.all([readPricingTerms(sql, accountId, now), findOwnedArtwork(sql, accountId, artworkUrls)]),
  );
  const { onOffer, withdrawn } = await catalogue.readAtRevision(database, terms.catalogueRevision);
  return {
    catalogue: onOffer,
    withdrawn: (section, id) => withdrawn.has(withdrawnKey(section, id)),
    book: await priceBooks.read(database, terms.version),
    pricingVersion: terms.version,
    account: { tradeDiscountBps: terms.tradeDiscountBps },
    criticalRushEnabled: terms.criticalRushEnabled,
    ownsArtwork: (url) => owned.has(url),
    inspections: owned,
    now,
  };
}
