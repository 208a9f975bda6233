import Joi from 'joi';
import type { Sql } from '../../../db/database';
import { withdrawnKey } from '../../../db/repositories/catalogue';
import { findPriceBook, type PriceBookRow } from '../../../db/repositories/price-books';
import { findNewestQuotes, type QuoteToTry } from '../../../db/repositories/tried-quotes';
import { notFoundError, validationError } from '../../../domain/errors';
import { ENVIRONMENTS } from '../../../domain/limits';
import { bookDifferences } from '../../../domain/price-book/differences';
import type { PriceBook } from '../../../domain/price-book/price-book';
import { readPriceBook } from '../../../domain/price-book/read';
import { type QuoteTrial, tryQuote } from '../../../domain/pricing/trial';
import { presentDifferences, presentTrial } from '../../../presenters/price-books';
import { singleValue, queryError } from '../../cursor';
import * as json from '../../openapi/json';
import { type BodyOf, bodySchema, integerField, oneOfField, optional, patternField } from '../../schemas/text';
import type { HandlerResponse } from '../../types';
import { ACCOUNT_ID, EXAMPLE_TIME } from '../support/examples';
import type { StudioEndpointRow, StudioRequest } from '../support/types';
import { assertValidBook } from './price-books';

const MAX_TRIED_QUOTES = 200;

const DEFAULT_TRIED_QUOTES = 50;

const trialRequest = bodySchema({
  book: Joi.any<unknown>().description('the whole draft, as it would be published'),
  quotes: optional(integerField(1, MAX_TRIED_QUOTES)).description(`how many of the newest; ${DEFAULT_TRIED_QUOTES} unless said otherwise`),
  environment: optional(oneOfField(ENVIRONMENTS)).description('whose quotes; live unless said otherwise'),
});

const QUOTE_ID = 'quo_0f3a';

type Differences = ReturnType<typeof presentDifferences>;

const PRICE_DIFFERENCES = json.resource<Differences>('PriceDifferences', {
  version: [json.integer(), 2],
  against: [json.integer('the version it is compared with'), 1],
  differences: json.list(
    json.object<Differences['differences'][number]>({
      path: [json.string('dotted; entries of a list are named by their id'), 'assemblyCents'],
      change: [json.openEnum(['added', 'changed', 'removed']), 'changed'],
      before: [json.any('null where it was not there, or was null'), 1800],
      after: [json.any('null where it is not there, or is null'), 1950],
    }),
  ),
});

type Trial = ReturnType<typeof presentTrial>;

const quoteIdSchema = json.id('quo');

const PRICE_TRIAL = json.resource<Trial>('PriceTrial', {
  inForce: [json.integer('the version it is compared with'), 2],
  currency: [json.string(), 'AUD'],
  looked: [json.integer('quotes that were looked at'), 50],
  priced: [json.integer('of them, priced by both'), 49],
  totalBeforeCents: [json.cents('of those'), 812_350],
  totalAfterCents: [json.cents('of those'), 815_350],
  lines: json.list(
    json.object<Trial['lines'][number]>({
      quoteId: [quoteIdSchema, QUOTE_ID],
      accountName: [json.string(), 'Gallery North'],
      line: [json.integer('of the quote, from 0'), 0],
      productName: [json.string(), 'Custom framing'],
      quantity: [json.integer(), 2],
      beforeCents: [json.cents(), 40_000],
      afterCents: [json.cents(), 43_000],
    }),
    'each line that would change',
  ),
  quotes: json.list(
    json.object<Trial['quotes'][number]>({
      quoteId: [quoteIdSchema, QUOTE_ID],
      accountId: [json.id('acc'), ACCOUNT_ID],
      createdAt: [json.time(), EXAMPLE_TIME],
      shippingBeforeCents: [json.cents(), 1495],
      shippingAfterCents: [json.cents(), 1495],
      totalBeforeCents: [json.cents(), 41_495],
      totalAfterCents: [json.cents(), 44_495],
    }),
    'each quote whose total would change',
  ),
  unpriced: json.list(
    json.object<Trial['unpriced'][number]>({
      quoteId: [quoteIdSchema, 'quo_0f3b'],
      refusedBy: [json.openEnum(['today', 'draft'], 'today: whatever the draft says'), 'today'],
      reason: [json.string(), 'its address was erased, and with it where it would go'],
    }),
  ),
});

export const PRICE_TRIALS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/price-books/try',
    role: 'admin',
    body: trialRequest,
    id: 'tryPriceBook',
    summary: 'Price the newest quotes by a draft, and tell each line that would change',
    description:
      "Compared with the book in force, both on today's catalogue and discounts. Nothing is stored. Quotes that cannot be priced any more, " +
      'because their address was erased or a material is gone, are told, and so are those that the draft alone refuses. The draft is refused as publishing would.',
    response: PRICE_TRIAL,
    requestExample: { book: {}, quotes: 50 },
    handler: tryPriceBook,
  },
  {
    method: 'GET',
    path: '/price-books/:version/diff',
    role: 'admin',
    query: {
      against: patternField(/^[1-9][0-9]{0,8}$/, 'the version of a price book').description('the one before it unless said otherwise'),
    },
    id: 'diffPriceBooks',
    summary: 'The rates in which a price book differs from another',
    response: PRICE_DIFFERENCES,
    errorCodes: ['VALIDATION_ERROR'],
    handler: getDifferences,
  },
];

/** Both in the present schema. */
async function getDifferences({ deps, params, query }: StudioRequest): Promise<HandlerResponse> {
  const book = await findBook(deps.database, params.version ?? '');
  if (book === null) throw notFoundError('price book');
  const requestedVersion = singleValue(query, 'against');
  const against = await findBook(deps.database, requestedVersion ?? String(book.version - 1));
  if (against === null) throw queryError('against', 'must be the version of a price book');
  const differences = bookDifferences(readDocument(against), readDocument(book));
  return { data: presentDifferences(book.version, against.version, differences) };
}

async function findBook(sql: Sql, version: string): Promise<PriceBookRow | null> {
  return /^[1-9][0-9]{0,8}$/.test(version) ? findPriceBook(sql, Number(version)) : null;
}

/** Brought up to the present schema, so that a field that came later is no difference. */
function readDocument({ document }: PriceBookRow): unknown {
  const stored: unknown = JSON.parse(document);
  return readPriceBook(stored).book ?? stored;
}

async function tryPriceBook({ deps, body }: StudioRequest<BodyOf<typeof trialRequest>>): Promise<HandlerResponse> {
  const now = deps.clock.now();
  const catalogue = await deps.catalogue.read(deps.database);
  assertValidBook(body.book, catalogue.onOffer);
  const inForce = await deps.pricingTerms.readEffectiveBook(deps.database, now);
  const draft = readDraft(body.book, inForce.book);
  const quotes = await findNewestQuotes(deps.database, body.environment ?? 'live', body.quotes ?? DEFAULT_TRIED_QUOTES);
  const tried: { quote: QuoteToTry; trial: QuoteTrial }[] = [];
  for (const quote of quotes) {
    const account = { tradeDiscountBps: quote.trade_discount_bps };
    const withdrawn = (section: Parameters<typeof withdrawnKey>[0], id: string): boolean =>
      catalogue.withdrawn.has(withdrawnKey(section, id));
    tried.push({
      quote,
      trial: tryStoredQuote(quote, { account, catalogue: catalogue.onOffer, withdrawn }, { inForce: inForce.book, draft }),
    });
    // A quote of 200 lines takes milliseconds, 200 of them a second: whoever else asks is answered between two of them.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { data: presentTrial({ inForce: inForce.version, currency: draft.currency, tried }) };
}

/** @throws ApiError VALIDATION_ERROR where amounts could not be compared */
function readDraft(document: unknown, { currency }: PriceBook): PriceBook {
  const { book } = readPriceBook(document);
  if (book?.currency === currency) return book;
  throw validationError([{ path: 'book.currency', message: `must be ${currency}, in which the quotes were priced` }]);
}

function tryStoredQuote(quote: QuoteToTry, terms: Parameters<typeof tryQuote>[1], books: Parameters<typeof tryQuote>[2]): QuoteTrial {
  if (quote.address_erased_at !== null) return { outcome: 'gone', reason: 'its address was erased, and with it where it would go' };
  const request = {
    shippingAddress: quote.shipping_address,
    shippingMethodId: quote.shipping_method,
    rushTier: quote.rush_tier,
    whiteLabel: quote.white_label,
  };
  return tryQuote({ request, jobs: quote.jobs, lines: quote.lines, createdAt: quote.created_at }, terms, books);
}
