import { askAfterQuote } from '../../artwork/arrivals';
import { withdrawnKey } from '../../db/repositories/catalogue';
import { findQuote, insertQuote } from '../../db/repositories/quotes';
import { ownedUrls } from '../../db/repositories/uploads';
import type { QuoteRow } from '../../db/rows';
import { LIMITS, DEFAULT_RUSH_TIER } from '../../domain/limits';
import { addressOnly } from '../../domain/basket/destination';
import { priceQuote } from '../../domain/pricing';
import type { QuoteRequest } from '../../domain/basket/quote-request';
import type { PricedQuote } from '../../domain/pricing/priced-quote';
import { presentBreakdown } from '../../presenters/breakdown';
import { presentQuote } from '../../presenters/quotes';
import { newId } from '../../security/ids';
import type { Answer, TradeRequest } from '../types';
import { found, pathId } from '../path-id';

/** `POST /quotes`: prices the basket on live rows and holds the price for 24 hours. Discovery and refusals store nothing. */
export async function createQuote(request: TradeRequest<QuoteRequest>): Promise<Answer> {
  const now = request.deps.clock.now();
  const priced = await price(request, now);
  const quote = await insertQuote(request.deps.database, newQuote(request, priced, now));
  askAfterQuote(request.deps, request.caller.accountId, artworkUrls(request.body));
  request.deps.workflowStarts.hold(quote.id, quote.expires_at); // not awaited: the quote is valid without its timer
  return { data: presentQuote(quote) };
}

/** `GET /quotes/{id}`: 200 also when expired or consumed; anything not of this account and environment is 404. */
export async function getQuote(request: TradeRequest): Promise<Answer> {
  return { data: presentQuote(await namedQuote(request)) };
}

async function namedQuote(request: TradeRequest): Promise<QuoteRow> {
  const { deps, caller } = request;
  const quote = await findQuote(deps.database, caller.accountId, caller.environment, pathId(request, 'quo'));
  return found(request, 'quo', quote);
}

/** `GET /quotes/{id}/breakdown`: how each of its figures came to be (ruling 61). */
export async function getBreakdown(request: TradeRequest): Promise<Answer> {
  return { data: presentBreakdown(await namedQuote(request)) };
}

async function price({ deps, caller, body }: TradeRequest<QuoteRequest>, now: Date): Promise<PricedQuote> {
  const sql = deps.database;
  const urls = artworkUrls(body);
  const [terms, owned] = await Promise.all([deps.pricingTerms.read(sql, caller.accountId, now), ownedUrls(sql, caller.accountId, urls)]);
  const catalogue = await deps.catalogue.at(sql, terms.catalogueRevision);
  return priceQuote({
    request: body,
    catalogue: catalogue.onOffer,
    withdrawn: (section, id) => catalogue.withdrawn.has(withdrawnKey(section, id)),
    book: terms.book,
    pricingVersion: terms.version,
    account: { tradeDiscountBps: terms.tradeDiscountBps },
    ownsArtwork: (url) => owned.has(url),
    criticalRushEnabled: terms.criticalRushEnabled,
    now,
  });
}

function artworkUrls({ items }: QuoteRequest): string[] {
  return [...new Set(items.flatMap(({ imageUrl }) => (typeof imageUrl === 'string' ? [imageUrl] : [])))];
}

function newQuote({ caller, body }: TradeRequest<QuoteRequest>, priced: PricedQuote, now: Date) {
  return {
    id: newId('quo'),
    account_id: caller.accountId,
    environment: caller.environment,
    key_id: caller.keyId,
    currency: priced.currency,
    pricing_version: priced.pricingVersion,
    lines: priced.lines,
    jobs: priced.jobs,
    breakdown: priced.breakdown,
    shipping_address: addressOnly(priced.shippingAddress),
    shipping_method: priced.shippingMethod,
    rush_tier: body.rushTier ?? DEFAULT_RUSH_TIER,
    white_label: body.whiteLabel ?? true,
    subtotal_cents: priced.subtotalCents,
    discount_cents: priced.discountCents,
    discount_reason: priced.discountReason,
    discount_label: priced.discountLabel,
    shipping_cents: priced.shippingCents,
    rush_fee_cents: priced.rushFeeCents,
    total_cents: priced.totalCents,
    gst_cents: priced.gstCents,
    promised_ready_date: priced.promisedReadyDate,
    due_date: priced.dueDate,
    created_at: now,
    expires_at: new Date(now.getTime() + LIMITS.quoteHoldMs),
  };
}
