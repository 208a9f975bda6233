import { findPriceBook, type PriceBookRow } from '../../../db/repositories/price-books';
import { withdrawnKey } from '../../../db/repositories/catalogue';
import { newestQuotes, type QuoteToTry } from '../../../db/repositories/tried-quotes';
import type { Sql } from '../../../db/database';
import { noSuch, validationError } from '../../../domain/errors';
import { bookDifferences } from '../../../domain/price-book/differences';
import type { PriceBook } from '../../../domain/price-book/price-book';
import { readPriceBook } from '../../../domain/price-book/read';
import { tryQuote, type QuoteTrial } from '../../../domain/pricing/trial';
import { presentDifferences, presentTrial } from '../../../presenters/price-trials';
import { once, queryError } from '../../cursor';
import type { Answer } from '../../types';
import { DEFAULT_TRIED_QUOTES, type TrialRequest } from '../schemas/price-books';
import type { StudioRequest } from '../types';
import { refuseInvalid } from './price-books';

/** `GET /price-books/{version}/diff`: against the version before it, unless another is named. Both in the present schema. */
export async function getDifferences({ deps, params, query }: StudioRequest): Promise<Answer> {
  const book = await bookOf(deps.database, params.version ?? '');
  if (book === null) throw noSuch('price book');
  const named = once(query, 'against');
  const against = await bookOf(deps.database, named ?? String(book.version - 1));
  if (against === null) throw queryError('against', 'must be the version of a price book');
  const differences = bookDifferences(documentOf(against), documentOf(book));
  return { data: presentDifferences(book.version, against.version, differences) };
}

async function bookOf(sql: Sql, version: string): Promise<PriceBookRow | null> {
  return /^[1-9][0-9]{0,8}$/.test(version) ? findPriceBook(sql, Number(version)) : null;
}

/** Brought up to the present schema, so that a field that came later is no difference. */
function documentOf({ document }: PriceBookRow): unknown {
  const stored: unknown = JSON.parse(document);
  return readPriceBook(stored).book ?? stored;
}

/** `POST /price-books/try`: a draft on the newest quotes. Nothing is stored. */
export async function tryPriceBook({ deps, body }: StudioRequest<TrialRequest>): Promise<Answer> {
  const now = deps.clock.now();
  const catalogue = await deps.catalogue.read(deps.database);
  refuseInvalid(body.book, catalogue.onOffer);
  const inForce = await deps.pricingTerms.inForce(deps.database, now);
  const draft = draftOf(body.book, inForce.book);
  const quotes = await newestQuotes(deps.database, body.environment ?? 'live', body.quotes ?? DEFAULT_TRIED_QUOTES);
  const tried: { quote: QuoteToTry; trial: QuoteTrial }[] = [];
  for (const quote of quotes) {
    const account = { tradeDiscountBps: quote.trade_discount_bps };
    const withdrawn = (section: Parameters<typeof withdrawnKey>[0], id: string): boolean =>
      catalogue.withdrawn.has(withdrawnKey(section, id));
    tried.push({ quote, trial: trialOf(quote, { account, catalogue: catalogue.onOffer, withdrawn }, { inForce: inForce.book, draft }) });
    // A quote of 200 lines takes milliseconds, 200 of them a second: whoever else asks is answered between two of them.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { data: presentTrial({ inForce: inForce.version, currency: draft.currency, tried }) };
}

/** @throws ApiError VALIDATION_ERROR where amounts could not be compared */
function draftOf(document: unknown, { currency }: PriceBook): PriceBook {
  const { book } = readPriceBook(document);
  if (book?.currency === currency) return book;
  throw validationError([{ path: 'book.currency', message: `must be ${currency}, in which the quotes were priced` }]);
}

function trialOf(quote: QuoteToTry, terms: Parameters<typeof tryQuote>[1], books: Parameters<typeof tryQuote>[2]): QuoteTrial {
  if (quote.address_erased_at !== null) return { outcome: 'gone', reason: 'its address was erased, and with it where it would go' };
  const request = {
    shippingAddress: quote.shipping_address,
    shippingMethodId: quote.shipping_method,
    rushTier: quote.rush_tier,
    whiteLabel: quote.white_label,
  };
  return tryQuote({ request, jobs: quote.jobs, lines: quote.lines, createdAt: quote.created_at }, terms, books);
}
