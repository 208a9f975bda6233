import { withdrawnKey } from '../../../db/repositories/catalogue';
import { readPricingTerms } from '../../../db/repositories/pricing-terms';
import type { PricingInput } from '../../../domain/pricing/input';
import type { HandlerDeps } from '../../deps';

/** Loads the current terms for pricing the account's baskets. They are not cached: a withdrawn material must not be sold. */
export async function loadPricingTerms(
  { database, priceBooks, catalogue }: HandlerDeps,
  accountId: string,
  now: Date,
): Promise<Omit<PricingInput, 'request' | 'ownsArtwork'>> {
  const terms = await readPricingTerms(database, priceBooks, accountId, now);
  const { onOffer, withdrawn } = await catalogue.readAtRevision(database, terms.catalogueRevision);
  return {
    catalogue: onOffer,
    withdrawn: (section, id) => withdrawn.has(withdrawnKey(section, id)),
    book: terms.book,
    pricingVersion: terms.version,
    account: { tradeDiscountBps: terms.tradeDiscountBps },
    criticalRushEnabled: terms.criticalRushEnabled,
    now,
  };
}
