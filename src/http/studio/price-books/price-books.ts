import Joi from 'joi';
import type { Sql } from '../../../db/database';
import {
  findTermsInUse,
  findPriceBook,
  insertPriceBook,
  blockOrderPlacement,
  listPriceBooks,
  lockPriceBooks,
} from '../../../db/repositories/price-books';
import type { StoredCatalogue } from '../../../domain/catalogue';
import { notFoundError, validationError } from '../../../domain/errors';
import { FIXED_TERMS, fixedTermIssue, type FixedTerms } from '../../../domain/price-book/fixed-terms';
import type { PriceBook } from '../../../domain/price-book/price-book';
import { validatePriceBook } from '../../../domain/price-book/read';
import { presentPriceBook, presentPriceBookSummary } from '../../../presenters/price-books';
import { sha256 } from '../../../security/fingerprint';
import * as json from '../../openapi/json';
import { type BodyOf, bodySchema, optional, nullable } from '../../schemas/text';
import type { HandlerResponse } from '../../types';
import { audited } from '../support/audited';
import { EXAMPLE_TIME } from '../support/examples';
import { timestampField } from '../support/fields';
import { defineList } from '../support/lists';
import type { StudioEndpointRow, StudioRequest } from '../support/types';

/** Accepts any `book`, because `validatePriceBook` checks it and lists every issue. */
const priceBookRequest = bodySchema({
  book: Joi.any<unknown>().description('the complete price book; see docs/pricing.md'),
  effectiveAt: optional(nullable(timestampField())).description('the time from which quotes use the book; null or left out: now'),
});

type PriceBookRequest = BodyOf<typeof priceBookRequest>;

type PriceBookSummary = ReturnType<typeof presentPriceBookSummary>;

const PRICE_BOOK_FIELDS: json.Fields<PriceBookSummary> = {
  version: [json.integer('the version, counted from 1'), 2],
  sha256: [json.string('the SHA-256 of the published JSON text', { pattern: '^[0-9a-f]{64}$' }), '0'.repeat(64)],
  effectiveAt: [
    json.time(
      'the start of validity. The price book with the latest start that has passed sets prices; of equal starts, the higher version.',
    ),
    EXAMPLE_TIME,
  ],
  publishedBy: [json.string('the name of the token'), 'ops'],
  createdAt: [json.time(), EXAMPLE_TIME],
};

const PRICE_BOOK_SUMMARY = json.resource<PriceBookSummary>('PriceBookSummary', PRICE_BOOK_FIELDS);

const PRICE_BOOK = json.resource<ReturnType<typeof presentPriceBook>>('PriceBook', {
  ...PRICE_BOOK_FIELDS,
  book: [json.any('the complete price book as published'), {}],
});

export const PRICE_BOOKS_ENDPOINTS: readonly StudioEndpointRow[] = [
  ...defineList({
    path: '/price-books',
    role: 'admin',
    filters: {},
    id: 'listPriceBooks',
    summary: 'List price books',
    description: 'Lists the newest first. The book with the latest start that has passed sets the prices.',
    entry: PRICE_BOOK_SUMMARY,
    list: ({ deps }) => ({
      find: (_filters, page) => listPriceBooks(deps.database, page),
      cursorOf: (book) => ({ createdAt: book.created_at, id: String(book.version) }),
      present: presentPriceBookSummary,
    }),
  }),
  {
    method: 'POST',
    path: '/price-books',
    role: 'admin',
    body: priceBookRequest,
    status: 201,
    id: 'publishPriceBook',
    summary: 'Publish a price book',
    description:
      'Stores a complete price book as the next version. It is in force from `effectiveAt`, which defaults to now. A refusal lists every issue. Currency and time zone cannot change once money is booked, live or test.',
    response: PRICE_BOOK,
    requestExample: { book: {} },
    handler: createPriceBook,
  },
  {
    method: 'GET',
    path: '/price-books/:version',
    role: 'admin',
    id: 'getPriceBook',
    summary: 'Retrieve a price book',
    description: 'The response contains all rates.',
    response: PRICE_BOOK,
    handler: getPriceBook,
  },
];

/** Maximum of issues in one response. */
const MAX_ISSUES = 1000;

async function createPriceBook(request: StudioRequest<PriceBookRequest>): Promise<HandlerResponse> {
  const { body, deps, caller } = request;
  const now = deps.clock.now();
  const effectiveAt = resolveEffectiveAt(body, now);
  assertValidBook(body.book, (await deps.catalogue.read(deps.database)).onOffer);
  const document = JSON.stringify(body.book);
  const stored = await audited(request, async (sql, record) => {
    await lockPriceBooks(sql);
    await assertFixedTerms(sql, { ...(body.book as PriceBook), isForLater: effectiveAt > now }, now);
    const book = await insertPriceBook(sql, {
      document,
      sha256: sha256(document),
      effective_at: effectiveAt,
      published_by: caller.name,
      created_at: now,
    });
    await record({
      action: 'price-book.publish',
      subject: `price-book/${book.version}`,
      before: null,
      after: presentPriceBookSummary(book),
    });
    return book;
  });
  return { data: presentPriceBook(stored) };
}

/** @throws ApiError VALIDATION_ERROR if the book has another currency or time zone than the ledgers */
async function assertFixedTerms(sql: Sql, book: FixedTerms & { isForLater: boolean }, now: Date): Promise<void> {
  const { newest } = await findTermsInUse(sql, now);
  if (FIXED_TERMS.some((term) => newest[term] !== book[term])) await blockOrderPlacement(sql); // prevents entries in the meantime
  const issue = fixedTermIssue(book, await findTermsInUse(sql, now));
  if (issue !== null) throw validationError([issue]);
}

function resolveEffectiveAt({ effectiveAt }: PriceBookRequest, now: Date): Date {
  if (effectiveAt === undefined || effectiveAt === null) return now;
  const time = new Date(effectiveAt);
  if (time < now) throw validationError([{ path: 'effectiveAt', message: 'must not be in the past' }]);
  return time;
}

/** Checks the book against the current catalogue. Rows that are added later are PRODUCT_UNAVAILABLE until a book has rates for them. */
export function assertValidBook(book: unknown, onOffer: StoredCatalogue): void {
  const issues = validatePriceBook(book, onOffer).slice(0, MAX_ISSUES);
  if (issues.length > 0)
    throw validationError(issues.map(({ path, message }) => ({ path: path === '' ? 'book' : `book.${path}`, message })));
}

async function getPriceBook({ deps, params }: StudioRequest): Promise<HandlerResponse> {
  const version = params.version ?? '';
  const book = /^[1-9][0-9]{0,8}$/.test(version) ? await findPriceBook(deps.database, Number(version)) : null;
  if (book === null) throw notFoundError('price book');
  return { data: presentPriceBook(book) };
}
