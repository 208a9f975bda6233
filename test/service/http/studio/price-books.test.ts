import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { sha256 } from '../../../../src/security/fingerprint';
import { useFixture, useService } from '../../../support/fixtures';
import { aQuoteRequest } from '../../../support/baskets';
import { findAuditEntries, validationPathsOf } from './support';

describe('/price-books', () => {
  const service = useService(() => ({ worker: false }));
  const admin = useFixture(() => service.studio());
  const trade = useFixture(() => service.trade(service.account.testKey));

  const book = (overrides: object = {}) => ({ ...FIRST_PRICE_BOOK, ...overrides });
  it('every issue of a book is reported with its path, and nothing is published', async () => {
    const reply = await admin.post('/price-books', {
      book: { ...book({ currency: 'aud', minimumOrderCents: -1, extra: 1 }), rush: undefined },
    });
    expect([reply.status, validationPathsOf(reply)]).toEqual([400, ['book.currency', 'book.minimumOrderCents', 'book.rush', 'book.extra']]);
    expect((await admin.get('/price-books')).json.data).toHaveLength(1);
  });
  it.each<[string, object, string[]]>([
    ['no book', {}, ['book']],
    ['a book that is not an object', { book: 7 }, ['book']],
    ['a date in the past', { book: book(), effectiveAt: '2020-01-01T00:00:00Z' }, ['effectiveAt']],
    ['an invalid date', { book: book(), effectiveAt: 'soon' }, ['effectiveAt']],
  ])('%s is refused', async (_title, body, paths) => {
    expect(validationPathsOf(await admin.post('/price-books', body))).toEqual(paths);
  });
  it.each(['0', '99', 'latest', '1.0', '%00', '9'.repeat(30)])('version %s is 404', async (version) => {
    expect((await admin.get(`/price-books/${version}`)).status).toBe(404);
  });
  it('a new book prices the next quote, and a scheduled one does not', async () => {
    const request = await aQuoteRequest(trade);
    const made = await admin.post('/price-books', { book: book({ minimumOrderCents: 1_000_000 }) });
    expect(made.status).toBe(201);
    expect(made.json.data).toEqual({
      version: 2,
      sha256: sha256(JSON.stringify(book({ minimumOrderCents: 1_000_000 }))),
      effectiveAt: made.json.data.createdAt,
      publishedBy: 'STUDIO_ADMIN_TOKEN',
      createdAt: expect.any(String),
      book: book({ minimumOrderCents: 1_000_000 }),
    });
    expect((await trade.post('/quotes', request)).json.data).toMatchObject({ pricingVersion: 2, subtotalCents: expect.any(Number) });
    const later = await admin.post('/price-books', { book: book(), effectiveAt: '2999-01-01T00:00:00Z' });
    expect(later.json.data).toMatchObject({ version: 3, effectiveAt: '2999-01-01T00:00:00.000Z' });
    expect((await trade.post('/quotes', request)).json.data.pricingVersion).toBe(2);
    expect((await admin.get('/price-books/2')).json.data).toEqual(made.json.data);
  });
  it('concurrently published books get separate versions, and the list is newest first without prices', async () => {
    const made = await Promise.all([1, 2, 3].map(() => admin.post('/price-books', { book: book(), effectiveAt: '2999-01-01T00:00:00Z' })));
    expect(made.map(({ json }) => json.data.version).sort()).toEqual([4, 5, 6]);
    const listed = (await admin.get('/price-books?limit=2')).json;
    expect(listed.data.map(({ version }: { version: number }) => version)).toEqual([6, 5]);
    expect(listed.data[0]).not.toHaveProperty('book');
    const rest = (await admin.get(`/price-books?cursor=${listed.nextCursor}`)).json;
    expect(rest.data.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1]);
    expect(await findAuditEntries(service, 'price-book/4')).toMatchObject([
      { action: 'price-book.publish', before: null, after: { version: 4 } },
    ]);
  });
});
