import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { aQuoteRequest } from '../../../support/baskets';
import { HttpClient } from '../../../support/client';
import { useFixture, useService } from '../../../support/fixtures';
import { validationPathsOf } from './support';

/** Raises the price of paper by this amount per m². */
function raisedPrintRates(byCents: number): object {
  const classes = Object.fromEntries(
    Object.entries(FIRST_PRICE_BOOK.print.classes).map(([name, rate]) => [
      name,
      rate && { ...rate, centsPerSqm: rate.centsPerSqm + byCents },
    ]),
  );
  return { ...FIRST_PRICE_BOOK, print: { ...FIRST_PRICE_BOOK.print, classes } };
}

describe('differences and trials of price books', () => {
  const service = useService(() => ({ worker: false }));
  const admin = useFixture(() => service.studio());
  let quote: {
    quoteId: string;
    totalCents: number;
    shippingCents: number;
    lines: { amountCents: number; productName: string; quantity: number }[];
  };
  beforeAll(async () => {
    quote = await aQuoteNow();
  });
  const aQuoteNow = async () => {
    const trade = service.trade(service.account.testKey);
    return (await trade.post('/quotes', await aQuoteRequest(trade))).json.data;
  };
  const tryPriceBook = (body: object) => admin.post('/price-books/try', { environment: 'test', ...body });
  const readTotals = async (): Promise<unknown> =>
    service.deps.database.row(
      `SELECT (SELECT count(*)::int FROM price_books) AS books, count(*)::int AS quotes, sum(total_cents)::int AS cents FROM quotes`,
    );

  it('returns every line that would change and the totals, and stores nothing', async () => {
    const before = await readTotals();
    const { status, json } = await tryPriceBook({ book: raisedPrintRates(100_000) });
    expect([status, json.error]).toEqual([200, null]);
    const [line] = json.data.lines;
    expect(json.data).toMatchObject({ inForce: 1, looked: 1, priced: 1, unpriced: [], totalBeforeCents: quote.totalCents });
    expect(json.data.lines).toHaveLength(1);
    expect(line).toMatchObject({ quoteId: quote.quoteId, accountName: 'Gallery North', line: 0, beforeCents: quote.lines[0]?.amountCents });
    expect(line.afterCents).toBeGreaterThan(line.beforeCents);
    expect(json.data.quotes).toEqual([
      expect.objectContaining({ quoteId: quote.quoteId, totalBeforeCents: quote.totalCents, totalAfterCents: json.data.totalAfterCents }),
    ]);
    expect(json.data.totalAfterCents).toBeGreaterThan(json.data.totalBeforeCents);
    expect(await readTotals()).toEqual(before);
  });

  it('the result equals the next quote after publishing the draft', async () => {
    const tried = (await tryPriceBook({ book: raisedPrintRates(7) })).json.data;
    const priced = await admin.post('/price-books', { book: raisedPrintRates(7) });
    expect((await aQuoteNow()).totalCents).toBe(tried.totalAfterCents);
    const rate = FIRST_PRICE_BOOK.print.classes.museum?.centsPerSqm ?? 0;
    const { data } = (await admin.get(`/price-books/${priced.json.data.version}/diff`)).json;
    expect(data).toMatchObject({ version: 2, against: 1 });
    // The seeded book has the holidays of this year.
    const changed = data.differences.filter(({ path }: { path: string }) => path !== 'holidays');
    expect(changed).toHaveLength(Object.values(FIRST_PRICE_BOOK.print.classes).filter(Boolean).length);
    expect(data.differences).toContainEqual({
      path: 'print.classes.museum.centsPerSqm',
      change: 'changed',
      before: rate,
      after: rate + 7,
    });
    expect((await admin.get('/price-books/2/diff?against=2')).json.data.differences).toEqual([]);
    await admin.post('/price-books', { book: FIRST_PRICE_BOOK });
  });

  it('lists quotes that cannot be priced any more, and those that only the draft refuses', async () => {
    const erased = await aQuoteNow();
    const gone = await aQuoteNow();
    const { database } = service.deps;
    await database.run(`UPDATE quotes SET address_erased_at = now() WHERE id = $1`, [erased.quoteId]);
    await database.run(`UPDATE quotes SET jobs = jsonb_set(jobs, '{0,selections,mediaId}', '"media-of-long-ago"') WHERE id = $1`, [
      gone.quoteId,
    ]);
    const low = { ...FIRST_PRICE_BOOK, lineCeilingCents: 1 };
    const { data } = (await tryPriceBook({ book: low, quotes: 3 })).json;
    expect(data).toMatchObject({ looked: 3, priced: 0, lines: [], totalBeforeCents: 0 });
    expect(data.unpriced).toEqual([
      { quoteId: gone.quoteId, refusedBy: 'today', reason: expect.stringContaining('media-of-long-ago') },
      { quoteId: erased.quoteId, refusedBy: 'today', reason: expect.stringContaining('erased') },
      { quoteId: expect.any(String), refusedBy: 'draft', reason: expect.any(String) },
    ]);
  });

  it.each<[string, object, string[]]>([
    ['an invalid book', { book: { ...FIRST_PRICE_BOOK, minimumOrderCents: -1 } }, ['book.minimumOrderCents']],
    ['another currency', { book: { ...FIRST_PRICE_BOOK, currency: 'NZD' } }, ['book.currency']],
    ['too many quotes', { book: FIRST_PRICE_BOOK, quotes: 201 }, ['quotes']],
  ])('%s is refused', async (_what, body, paths) => {
    expect(validationPathsOf(await tryPriceBook(body))).toEqual(paths);
  });

  it.each([
    ['/price-books/99/diff', 404],
    ['/price-books/1/diff?against=99', 400],
    ['/price-books/1/diff', 400],
    ['/price-books/1/diff?against=old', 400],
  ])('%s is %i', async (path, status) => {
    expect((await admin.get(path)).status).toBe(status);
  });

  it('other requests are served while 200 quotes are priced', async () => {
    await service.deps.database.run(
      `INSERT INTO quotes SELECT (jsonb_populate_record(q, jsonb_build_object('id', 'quo_' || md5(n::text), 'lines', lines.many, 'jobs', jobs.many))).*
         FROM quotes q, generate_series(1, 200) n,
              LATERAL (SELECT jsonb_agg(one) AS many FROM (SELECT q.lines -> 0 AS one FROM generate_series(1, 30)) copies) lines,
              LATERAL (SELECT jsonb_agg(one) AS many FROM (SELECT q.jobs -> 0 AS one FROM generate_series(1, 30)) copies) jobs
        WHERE q.id = $1`,
      [quote.quoteId],
    );
    let [turns, answered] = [0, 0];
    const seen: { turns: number; answered: number }[] = []; // as each quote is priced
    const { database } = service.deps;
    const readRows = database.rows.bind(database);
    const rows = jest.spyOn(database, 'rows').mockImplementation(async (text, parameters) => {
      const found = (await readRows(text, parameters)) as object[];
      if (!text.includes('q.address_erased_at')) return found;
      return found.map((row) =>
        Object.defineProperty(row, 'address_erased_at', {
          get() {
            seen.push({ turns, answered });
            return null;
          },
        }),
      );
    });
    let over = false;
    const trial = tryPriceBook({ book: raisedPrintRates(1), quotes: 200 }).finally(() => (over = true));
    const ask = async (): Promise<void> => {
      const health = new HttpClient(`http://127.0.0.1:${service.api.studioPort}`);
      for (; !over; answered += 1) expect((await health.get('/healthz')).status).toBe(200); // needs no database, which may be slower
    };
    try {
      const asked = ask();
      asked.catch(() => undefined); // awaited below
      for (; !over; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      await asked;
    } finally {
      rows.mockRestore();
    }
    expect((await trial).json.data.looked).toBe(200);
    expect(new Set(seen.map((at) => at.turns)).size).toBe(200);
    expect(seen.at(-1)?.answered).toBeGreaterThan(seen[0]?.answered ?? Infinity);
  });
});
