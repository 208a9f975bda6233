import fc from 'fast-check';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { anyDamage, EVERY_ITEM } from '../../../unit/domain/pricing/damaged-books';
import { aKey } from '../../../support/accounts';
import { aLine, anAddress, uploadArtwork } from '../../../support/baskets';
import type { HttpClient, Reply } from '../../../support/client';
import { startService, type TestService } from '../../../support/service';
import { sql } from '../support';
import { aToken, validationPathsOf } from './support';

const FRAMED = {
  artworkWidthMm: '300',
  artworkHeightMm: '400',
  mediaId: 'media-cotton-rag-310',
  mouldingId: 'moulding-oak-natural-20',
  glazingId: 'glazing-clear-acrylic-2',
};

describe('from a published price book to a quote', () => {
  let service: TestService;
  let admin: HttpClient;
  let trade: HttpClient;
  let imageUrl: string;
  beforeEach(async () => {
    service = await startService({ worker: false });
    admin = service.studio();
    trade = service.trade(service.account.testKey);
    imageUrl = await uploadArtwork(trade);
  });
  afterEach(() => service.stop());

  const quote = (item: object, client = trade): Promise<Reply> =>
    client.post('/quotes', {
      items: [{ ...aLine(imageUrl), ...item, imageUrl }],
      shippingAddress: anAddress(),
      shippingMethodId: 'studio-collection',
    });
  const quoteFramed = (change: object = {}) => quote({ productSlug: 'custom-framing', variantSelections: { ...FRAMED, ...change } });
  /** As if an older version of the service had published it. */
  const storePriceBook = (document: unknown) =>
    sql(
      service,
      `INSERT INTO price_books (version, document, sha256, effective_at, published_by, created_at) SELECT max(version) + 1, $1, repeat('a', 64), now() - interval '1 s', 'test', now() FROM price_books`,
      [typeof document === 'string' ? document : JSON.stringify(document)],
    );
  const bookWithout = <K extends keyof typeof FIRST_PRICE_BOOK>(part: K): object => {
    const { [part]: _gone, ...rest } = FIRST_PRICE_BOOK;
    return rest;
  };

  it('a book without a rate for offered rows is refused with each path and a remedy', async () => {
    const { 'moulding-walnut-20': _walnut, ...rates } = FIRST_PRICE_BOOK.mouldings.centsPerMetreById;
    const book = {
      ...FIRST_PRICE_BOOK,
      mouldings: { ...FIRST_PRICE_BOOK.mouldings, centsPerMetreById: rates },
      backing: { ...FIRST_PRICE_BOOK.backing, defaultCentsPerSqm: null },
    };
    const refused = await admin.post('/price-books', { book });
    expect(validationPathsOf(refused)).toEqual([
      'book.mouldings.centsPerMetreById.moulding-walnut-20',
      ...SEED_CATALOGUE.backing.map(({ id }) => `book.backing.centsPerSqmById.${id}`),
    ]);
    expect(refused.json.error?.message).toContain('add a rate');
    for (const row of ['mouldings/moulding-walnut-20', ...SEED_CATALOGUE.backing.map(({ id }) => `backing/${id}`)])
      await admin.send('PATCH', `/catalogue/${row}`, { withdrawn: true });
    expect((await admin.post('/price-books', { book })).status).toBe(201);
    expect((await quoteFramed()).status).toBe(201);
  });

  it('a newly offered row without a rate is PRODUCT_UNAVAILABLE until the next book, which must price it', async () => {
    const office = service.studio(await aToken(service, 'office'));
    const [oak] = SEED_CATALOGUE.mouldings;
    expect((await office.send('PUT', '/catalogue/mouldings/moulding-new', { ...oak, id: 'moulding-new' })).status).toBe(200);
    const refused = await quoteFramed({ mouldingId: 'moulding-new' });
    expect(refused.json.error).toMatchObject({ code: 'PRODUCT_UNAVAILABLE', message: expect.stringContaining('has no price at present') });
    expect(validationPathsOf(await admin.post('/price-books', { book: FIRST_PRICE_BOOK }))).toEqual([
      'book.mouldings.centsPerMetreById.moulding-new',
    ]);
    const { mouldings } = FIRST_PRICE_BOOK;
    await admin.post('/price-books', {
      book: {
        ...FIRST_PRICE_BOOK,
        mouldings: { ...mouldings, centsPerMetreById: { ...mouldings.centsPerMetreById, 'moulding-new': 4000 } },
      },
    });
    expect((await quoteFramed({ mouldingId: 'moulding-new' })).status).toBe(201);
  });

  it('a book of an older schema, stored or sent, keeps its prices and is shown unchanged', async () => {
    const { totalCents } = (await quoteFramed()).json.data;
    const { ceilingCents: _ceilingCents, ...shipping } = FIRST_PRICE_BOOK.shipping;
    const older = { ...bookWithout('schema'), shipping };
    await storePriceBook(older);
    expect((await quoteFramed()).json.data).toMatchObject({ pricingVersion: 2, totalCents });
    expect((await admin.get('/price-books/2')).json.data.book).toEqual(older);
    expect((await admin.post('/price-books', { book: older })).json.data).toMatchObject({ version: 3, book: older });
    expect((await quoteFramed()).json.data).toMatchObject({ pricingVersion: 3, totalCents });
  });

  it.each<[string, unknown, string]>([
    [
      'that lacks a rate',
      { ...bookWithout('schema'), mats: { ...FIRST_PRICE_BOOK.mats, cutCents: undefined } },
      'mats.cutCents is required',
    ],
    ['that lacks a part', bookWithout('raisedFloat'), 'raisedFloat is required'],
    ['of a future schema', { ...FIRST_PRICE_BOOK, schema: 99 }, 'schema must be'],
    ['that is not JSON', '{"currency":', 'must be an object'],
    ['that is null', null, 'must be an object'],
  ])('a stored book %s prices nothing, the log names it and the path, and a valid book corrects it', async (_title, document, text) => {
    await storePriceBook(document);
    const replies = [await quoteFramed(), await quoteFramed(), await quote({})];
    for (const reply of replies) {
      expect([reply.status, reply.json.error?.code]).toEqual([500, 'INTERNAL_ERROR']);
      expect(reply.text).not.toMatch(/price book|mats|schema|stack/);
    }
    const logged = service.logLines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'internal error')
      .map(({ err }) => err.message);
    expect(logged).toHaveLength(3);
    for (const message of logged)
      expect(message).toEqual(expect.stringMatching(/^price book 2 is stored incomplete: .*; publish a complete book to replace it$/));
    expect(logged[0]).toContain(text);
    expect(await sql(service, 'SELECT id FROM quotes')).toEqual([]);
    expect((await admin.post('/price-books', { book: FIRST_PRICE_BOOK })).status).toBe(201);
    expect((await quoteFramed()).json.data.pricingVersion).toBe(3);
  });

  it('any damaged leaf of a book is 400 with paths, or 201 with every product quoted or refused, never 500', async () => {
    for (const damage of fc.sample(anyDamage, 12)) {
      const made = await admin.post('/price-books', { book: damage(FIRST_PRICE_BOOK) });
      const told = `${String(damage)}: ${made.text.slice(0, 300)}`;
      if (made.status === 400) {
        expect([told, made.json.error?.details.paths]).toEqual([told, expect.arrayContaining([expect.stringMatching(/^book/)])]);
        continue;
      }
      expect([told, made.status]).toEqual([told, 201]);
      const client = service.trade(await aKey(service.deps.database, service.account.accountId));
      for (const item of EVERY_ITEM) expect(`${told} → ${(await quote(item, client)).status}`).toMatch(/ → (201|400)$/);
    }
  });
});
