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
  book: Joi.any<unknown>().description('the complete draft, as it would be published'),
  quotes: optional(integerField(1, MAX_TRIED_QUOTES)).description(
    `the number of the newest quotes to price; the default is ${DEFAULT_TRIED_QUOTES}`,
  ),
  environment: optional(oneOfField(ENVIRONMENTS)).description('the environment of the quotes; the default is `live`'),
});

const QUOTE_ID = 'quo_0f3a';

type Differences = ReturnType<typeof presentDifferences>;

const PRICE_DIFFERENCES = json.resource<Differences>('PriceDifferences', {
  version: [json.integer('the version in the path'), 2],
  against: [json.integer('the version for comparison'), 1],
  differences: json.list(
    json.object<Differences['differences'][number]>({
      path: [json.string('the dotted path; a list entry is named by its id'), 'assemblyCents'],
      change: [json.openEnum(['added', 'changed', 'removed']), 'changed'],
      before: [json.any('null if the field was missing or null'), 1800],
      after: [json.any('null if the field is missing or null'), 1950],
    }),
  ),
});

type Trial = ReturnType<typeof presentTrial>;

const quoteIdSchema = json.id('quo');

const PRICE_TRIAL = json.resource<Trial>('PriceTrial', {
  inForce: [json.integer('the version for comparison'), 2],
  currency: [json.string('the currency of the draft'), 'AUD'],
  looked: [json.integer('the number of examined quotes'), 50],
  priced: [json.integer('the number of quotes that both books price'), 49],
  totalBeforeCents: [json.cents('the sum of the totals of those quotes, by the book in force'), 812_350],
  totalAfterCents: [json.cents('the sum of the totals of those quotes, by the draft'), 815_350],
  lines: json.list(
    json.object<Trial['lines'][number]>({
      quoteId: [quoteIdSchema, QUOTE_ID],
      accountName: [json.string(), 'Gallery North'],
      line: [json.integer('the line of the quote, from 0'), 0],
      productName: [json.string(), 'Custom framing'],
      quantity: [json.integer(), 2],
      beforeCents: [json.cents('the amount of the line by the book in force'), 40_000],
      afterCents: [json.cents('the amount of the line by the draft'), 43_000],
    }),
    'the lines whose price would change',
  ),
  quotes: json.list(
    json.object<Trial['quotes'][number]>({
      quoteId: [quoteIdSchema, QUOTE_ID],
      accountId: [json.id('acc'), ACCOUNT_ID],
      createdAt: [json.time(), EXAMPLE_TIME],
      shippingBeforeCents: [json.cents('delivery by the book in force'), 1495],
      shippingAfterCents: [json.cents('delivery by the draft'), 1495],
      totalBeforeCents: [json.cents('the total by the book in force'), 41_495],
      totalAfterCents: [json.cents('the total by the draft'), 44_495],
    }),
    'the quotes whose total would change',
  ),
  unpriced: json.list(
    json.object<Trial['unpriced'][number]>({
      quoteId: [quoteIdSchema, 'quo_0f3b'],
      refusedBy: [json.openEnum(['today', 'draft'], 'today: the quote cannot be priced with either book'), 'today'],
      reason: [json.string('the reason of the refusal'), 'its address was erased, so its destination is unknown'],
    }),
    'the quotes that a book does not price',
  ),
});

export const PRICE_TRIALS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/price-books/try',
    role: 'admin',
    body: trialRequest,
    id: 'tryPriceBook',
    summary: 'Try a draft price book',
    description:
      "Prices the newest quotes with the draft and with the book in force, using today's catalogue and discounts. Nothing is stored. The response lists quotes that can no longer be priced, such as those with an erased address, and quotes that only the draft refuses. An invalid draft is refused with the same issues as on publishing.",
    response: PRICE_TRIAL,
    requestExample: { book: {}, quotes: 50 },
    handler: tryPriceBook,
  },
  {
    method: 'GET',
    path: '/price-books/:version/diff',
    role: 'admin',
    query: {
      against: patternField(/^[1-9][0-9]{0,8}$/, 'the version of a price book').description('the default is the previous version'),
    },
    id: 'diffPriceBooks',
    summary: 'Compare price books',
    description: 'Lists the rates that differ.',
    response: PRICE_DIFFERENCES,
    errorCodes: ['VALIDATION_ERROR'],
    handler: getDifferences,
  },
];

/** Compares both books in the current schema. */
async function getDifferences({ deps, params, query }: StudioRequest): Promise<HandlerResponse> {
  const book = await findBook(deps.database, params.version ?? '');
  if (book === null) throw notFoundError('price book');
  const requestedVersion = singleValue(query, 'against');
  const against = await findBook(deps.database, requestedVersion ?? String(book.version - 1));
  if (against === null) throw queryError('against', 'must be the version of a published price book');
  const differences = bookDifferences(readDocument(against), readDocument(book));
  return { data: presentDifferences(book.version, against.version, differences) };
}

async function findBook(sql: Sql, version: string): Promise<PriceBookRow | null> {
  return /^[1-9][0-9]{0,8}$/.test(version) ? findPriceBook(sql, Number(version)) : null;
}

/** Upgrades a book to the current schema, so new fields do not count as differences. */
function readDocument({ document }: PriceBookRow): unknown {
  const stored: unknown = JSON.parse(document);
  return readPriceBook(stored).book ?? stored;
}

async function tryPriceBook({ deps, body }: StudioRequest<BodyOf<typeof trialRequest>>): Promise<HandlerResponse> {
  const now = deps.clock.now();
  const catalogue = await deps.catalogue.read(deps.database);
  assertValidBook(body.book, catalogue.onOffer);
  const inForce = await deps.priceBooks.readEffective(deps.database, now);
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
    // 200 quotes of 200 lines take a second, so other requests run between two quotes.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { data: presentTrial({ inForce: inForce.version, currency: draft.currency, tried }) };
}

/** @throws ApiError VALIDATION_ERROR if the currencies differ */
function readDraft(document: unknown, { currency }: PriceBook): PriceBook {
  const { book } = readPriceBook(document);
  if (book?.currency === currency) return book;
  throw validationError([{ path: 'book.currency', message: `must be ${currency}, the currency of the quotes` }]);
}

function tryStoredQuote(quote: QuoteToTry, terms: Parameters<typeof tryQuote>[1], books: Parameters<typeof tryQuote>[2]): QuoteTrial {
  if (quote.address_erased_at !== null) return { outcome: 'gone', reason: 'its address was erased, so its destination is unknown' };
  const request = {
    shippingAddress: quote.shipping_address,
    shippingMethodId: quote.shipping_method,
    rushTier: quote.rush_tier,
    whiteLabel: quote.white_label,
  };
  return tryQuote({ request, jobs: quote.jobs, lines: quote.lines, createdAt: quote.created_at }, terms, books);
}
