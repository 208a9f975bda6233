import type { StoredCatalogue } from '../../../../src/domain/catalogue';
import { ApiError, type ErrorCode } from '../../../../src/domain/errors';
import { priceQuote } from '../../../../src/domain/pricing';
import type { PriceQuoteInput } from '../../../../src/domain/pricing/input';
import type { QuoteItem, ShippingAddress } from '../../../../src/domain/basket/quote-request';
import type { PricedQuote } from '../../../../src/domain/pricing/priced-quote';
import { isOrderable, type OrderableSlug } from '../../../../src/domain/orderable-products';
import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';

export const ARTWORK = 'https://storage.test/artwork/1.tif';

export const anAddress = (over: Partial<ShippingAddress> = {}): ShippingAddress => ({
  name: 'Ada Price',
  line1: '1 Flinders Street',
  city: 'Melbourne',
  state: 'VIC',
  postcode: '3000',
  country: 'AU',
  email: 'ada@example.com',
  ...over,
});

/** Required selections of each product. */
const SELECTIONS: Record<OrderableSlug, Record<string, string>> = {
  'fine-art-printing': { artworkWidthMm: '300', artworkHeightMm: '400', mediaId: 'media-cotton-rag-310' },
  'everyday-art-prints': { artworkWidthMm: '148', artworkHeightMm: '210', mediaId: 'everyday-matte-200' },
  'print-and-mat': {
    artworkWidthMm: '300',
    artworkHeightMm: '400',
    mediaId: 'media-cotton-rag-310',
    matColorId: 'mat-white',
    matSizeMm: '60',
  },
  'custom-framing': {
    artworkWidthMm: '420',
    artworkHeightMm: '594',
    mediaId: 'media-cotton-rag-310',
    mouldingId: 'moulding-oak-natural-20',
    glazingId: 'glazing-uv-acrylic-3',
    backingId: 'backing-foam-5',
    matColorId: 'mat-white',
    matSizeMm: '60',
  },
  'canvas-printing': { artworkWidthMm: '500', artworkHeightMm: '700', mediaId: 'canvas-cotton-410', format: 'stretched', depth: '30mm' },
};

/** A valid item of this product. `change` sets keys, or removes them with undefined. */
export function anItem(slug: string, change: Record<string, string | undefined> = {}, over: Partial<QuoteItem> = {}): QuoteItem {
  const entries = Object.entries({ ...(isOrderable(slug) ? SELECTIONS[slug] : {}), ...change });
  const variantSelections: Record<string, string> = {};
  for (const [key, value] of entries) if (value !== undefined) variantSelections[key] = value;
  return { productSlug: slug, quantity: 1, variantSelections, imageUrl: ARTWORK, ...over };
}

export type InputOverrides = Partial<Omit<PriceQuoteInput, 'request'>> & { request?: Partial<PriceQuoteInput['request']> };

export function anInput(items: QuoteItem[], { request, ...over }: InputOverrides = {}): PriceQuoteInput {
  return {
    request: { items, shippingMethodId: 'studio-collection', shippingAddress: anAddress(), ...request },
    catalogue: SEED_CATALOGUE,
    book: FIRST_PRICE_BOOK,
    pricingVersion: 1,
    account: { tradeDiscountBps: 0 },
    ownsArtwork: (url) => url === ARTWORK,
    criticalRushEnabled: false,
    now: new Date('2026-06-01T00:00:00Z'),
    ...over,
  };
}

export const priceItems = (items: QuoteItem[], over: InputOverrides = {}): PricedQuote => priceQuote(anInput(items, over));
export const unitPrice = (item: QuoteItem): number => priceItems([item]).lines[0]?.unitPriceCents ?? -1;

/** The refusal of this basket. Fails the test if it gets a price or another error. */
export function refusal(items: QuoteItem[], over: InputOverrides = {}): ApiError {
  try {
    priceItems(items, over);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('the basket was priced');
}

/** Code and, for VALIDATION_ERROR, the paths. */
export function refusalOutcome(items: QuoteItem[], over: InputOverrides = {}): { code: ErrorCode; paths: unknown } {
  const { code, details } = refusal(items, over);
  return { code, paths: details?.['paths'] };
}

export function catalogueWith(change: Partial<StoredCatalogue>): StoredCatalogue {
  return { ...SEED_CATALOGUE, ...change };
}
