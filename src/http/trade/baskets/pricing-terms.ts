import { withdrawnKey } from '../../../db/repositories/catalogue';
import { readPricingTerms } from '../../../db/repositories/pricing-terms';
import { findOwnedUrls } from '../../../db/repositories/uploads';
import type { PricingInput } from '../../../domain/pricing/input';
import type { HandlerDeps } from '../../deps';

/**
 * Loads the current terms for pricing the account's baskets, and which of the artwork it may order. They are not cached: a withdrawn material
 * must not be sold.
 */
export async function loadPricingTerms(
  { database, priceBooks, catalogue }: HandlerDeps,
  accountId: string,
  now: Date,
  artworkUrls: string[] = [],
): Promise<Omit<PricingInput, 'request'>> {
  const [terms, owned] = await database.snapshot((sql) =>
    Promise.all([readPricingTerms(sql, accountId, now), findOwnedUrls(sql, accountId, artworkUrls)]),
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
    now,
  };
}
