import { findPriceBook, insertPriceBook, listPriceBooks } from '../../../db/repositories/price-books';
import type { StoredCatalogue } from '../../../domain/catalogue';
import { validationError, noSuch } from '../../../domain/errors';
import { validatePriceBook } from '../../../domain/price-book/read';
import { presentPriceBook, presentPriceBookSummary } from '../../../presenters/price-books';
import { sha256 } from '../../../security/fingerprint';
import type { PriceBookRequest } from '../schemas/price-books';
import type { Answer } from '../../types';
import { audited } from '../audited';
import { answerPage } from '../paging';
import type { StudioRequest } from '../types';

/** More issues than anyone reads: the answer lists no more. */
const MAX_ISSUES = 1000;

/**
 * `POST /price-books`: publishes a whole book as the next version, in force from `effectiveAt` (now, unless said otherwise).
 * Of the books in force the one that came into force last prices.
 */
export async function createPriceBook(request: StudioRequest<PriceBookRequest>): Promise<Answer> {
  const { body, deps, caller } = request;
  const now = deps.clock.now();
  const effectiveAt = effectiveTime(body, now);
  refuseInvalid(body.book, (await deps.catalogue.read(deps.database)).onOffer);
  const document = JSON.stringify(body.book);
  const stored = await audited(request, async (sql, record) => {
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

function effectiveTime({ effectiveAt }: PriceBookRequest, now: Date): Date {
  if (effectiveAt === undefined || effectiveAt === null) return now;
  const time = new Date(effectiveAt);
  if (time < now) throw validationError([{ path: 'effectiveAt', message: 'must not be in the past' }]);
  return time;
}

/** Judged against what is on offer now. A row that is offered later without a rate is PRODUCT_UNAVAILABLE until a book prices it. */
export function refuseInvalid(book: unknown, onOffer: StoredCatalogue): void {
  const issues = validatePriceBook(book, onOffer).slice(0, MAX_ISSUES);
  if (issues.length > 0)
    throw validationError(issues.map(({ path, message }) => ({ path: path === '' ? 'book' : `book.${path}`, message })));
}

export async function getPriceBooks(request: StudioRequest): Promise<Answer> {
  return answerPage(request, {
    name: 'price-books',
    find: (limit, after) => listPriceBooks(request.deps.database, limit, after),
    mark: (book) => ({ createdAt: book.created_at, id: String(book.version) }),
    present: presentPriceBookSummary,
  });
}

export async function getPriceBook({ deps, params }: StudioRequest): Promise<Answer> {
  const version = params.version ?? '';
  const book = /^[1-9][0-9]{0,8}$/.test(version) ? await findPriceBook(deps.database, Number(version)) : null;
  if (book === null) throw noSuch('price book');
  return { data: presentPriceBook(book) };
}
