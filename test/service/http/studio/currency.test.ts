import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { aQuote, placeOrder } from '../../../support/baskets';
import type { HttpClient } from '../../../support/client';
import { startService, type TestService } from '../../../support/service';
import { aTrader, expectRefusal, sql, waitForLockWaiters } from '../support';
import { aToken, validationPathsOf } from './support';

/** Each test starts a service, because a price book applies to all accounts. */
describe('the currency of price books', () => {
  let service: TestService;
  let admin: HttpClient;
  let office: HttpClient;
  beforeEach(async () => {
    service = await startService({ worker: false });
    admin = service.studio();
    office = service.studio(await aToken(service, 'office'));
  });
  afterEach(() => service.stop());

  const publish = (currency: string, rest: object = {}) => admin.post('/price-books', { book: { ...FIRST_PRICE_BOOK, currency }, ...rest });
  const LATER = { effectiveAt: '2999-01-01T00:00:00Z' };

  it.each(['test', 'live'] as const)('cannot change after the first invoice, also if that is %s only', async (environment) => {
    const { trade, liveKey } = await aTrader(service);
    const client = environment === 'test' ? trade : service.trade(liveKey);
    const quote = await aQuote(client);
    expect((await publish('USD')).status).toBe(201);
    expect((await publish('AUD')).status).toBe(201);
    expect((await placeOrder(client, quote.quoteId)).status).toBe(201);
    for (const rest of [{}, LATER]) {
      const refused = await publish('USD', rest);
      expect([refused.status, validationPathsOf(refused)]).toEqual([400, ['book.currency']]);
      expect(refused.json.error?.message).toContain('AUD');
    }
    expect((await publish('AUD', LATER)).status).toBe(201);
    expect((await admin.get('/price-books')).json.data.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1]);
  });

  it('changes at once and for all books: not for a later date, not while a book in another currency is scheduled, and quotes in the old currency cannot be ordered', async () => {
    const { trade } = await aTrader(service);
    const quote = await aQuote(trade);
    expect(validationPathsOf(await publish('USD', LATER))).toEqual(['effectiveAt']);
    expect((await publish('USD')).status).toBe(201);
    const refused = await placeOrder(trade, quote.quoteId);
    expectRefusal(refused, 409, 'QUOTE_EXPIRED', { expiresAt: quote.expiresAt });
    expect(refused.json.error?.message).toContain('USD');
    const { quoteId, currency } = await aQuote(trade);
    expect(currency).toBe('USD');
    expect((await placeOrder(trade, quoteId)).json.data.currency).toBe('USD');
    expect(validationPathsOf(await publish('AUD'))).toEqual(['book.currency']);
  });

  it('is refused while a scheduled book has another currency', async () => {
    expect((await publish('AUD', LATER)).status).toBe(201);
    const refused = await publish('USD');
    expect([validationPathsOf(refused), refused.json.error?.details.issues[0].message]).toEqual([
      ['book.currency'],
      expect.stringContaining('AUD'),
    ]);
  });

  it('does not change while the first order is being placed', async () => {
    const { trade } = await aTrader(service);
    const { quoteId } = await aQuote(trade);
    let placed: ReturnType<typeof placeOrder> | undefined;
    let published: ReturnType<typeof publish> | undefined;
    await service.deps.database.transaction(async (other) => {
      await other.run('LOCK TABLE invoices IN SHARE MODE'); // the order has read the book and cannot write its invoice
      placed = placeOrder(trade, quoteId);
      await waitForLockWaiters(service);
      published = publish('USD');
      await waitForLockWaiters(service, 2);
    });
    expect([(await placed)?.status, (await published)?.status]).toEqual([201, 400]);
  });

  describe('the time zone of price books', () => {
    const move = (timeZone: string, rest: object = {}) => admin.post('/price-books', { book: { ...FIRST_PRICE_BOOK, timeZone }, ...rest });

    it('cannot change once money is booked, so the days of invoices and statements stay', async () => {
      const { trade, accountId } = await aTrader(service);
      const quote = await aQuote(trade);
      expect((await move('Australia/Perth')).status).toBe(201);
      const { orderId } = (await placeOrder(trade, quote.quoteId)).json.data;
      const invoice = async () => (await office.get(`/orders/${orderId}/invoice`)).json.data;
      const statement = async () =>
        (await office.get(`/accounts/${accountId}/statement?environment=test&from=2020-01-01&to=2999-12-31`)).json.data;
      const before = [await invoice(), await statement()];
      for (const rest of [{}, LATER]) {
        const refused = await move('Pacific/Auckland', rest);
        expect([refused.status, validationPathsOf(refused)]).toEqual([400, ['book.timeZone']]);
        expect(refused.json.error?.message).toContain('Australia/Perth');
      }
      expect((await move('Australia/West')).status).toBe(201); // another name of the same zone
      expect([await invoice(), await statement()]).toEqual(before);
    });

    it('changes at once before that, but not for a later date', async () => {
      expect(validationPathsOf(await move('Pacific/Auckland', LATER))).toEqual(['effectiveAt']);
      expect((await move('Pacific/Auckland')).status).toBe(201);
      expect((await move('Australia/Perth')).status).toBe(201);
    });

    it('cannot change after a payment on account without an invoice', async () => {
      const { accountId } = await aTrader(service);
      const payment = { amountCents: 5000, receivedAt: '2026-01-05T00:00:00Z', environment: 'test' };
      expect((await office.post(`/accounts/${accountId}/payments`, { paymentId: 'deposit-1', ...payment })).status).toBe(200);
      expect(validationPathsOf(await move('Pacific/Auckland'))).toEqual(['book.timeZone']);
    });
  });

  it('of an account, its statements and files is that of its invoices for every current book', async () => {
    const [trader, fresh] = [await aTrader(service), await aTrader(service)];
    const { quoteId } = await aQuote(trader.trade);
    expect((await placeOrder(trader.trade, quoteId)).status).toBe(201);
    // A book that was inserted without the API.
    await sql(
      service,
      `INSERT INTO price_books (version, document, sha256, effective_at, published_by, created_at)
       SELECT 2, $1, repeat('a', 64), now() - interval '1 s', 'test', now()`,
      [JSON.stringify({ ...FIRST_PRICE_BOOK, currency: 'USD' })],
    );
    const shown = async ({ accountId }: { accountId: string }) => [
      (await office.get(`/accounts/${accountId}`)).json.data.currency,
      (await office.get(`/accounts/${accountId}/statement?environment=test`)).json.data.currency,
      currencies((await office.get(`/accounts/${accountId}/statement.csv?environment=test`)).text)[0],
      currencies((await office.get(`/accounts.csv?q=${accountId}`)).text)[0],
    ];
    expect(await shown(trader)).toEqual(['AUD', 'AUD', 'AUD', 'AUD']);
    expect(await shown(fresh)).toEqual(['USD', 'USD', 'USD', 'USD']);
    expect(currencies((await office.get('/invoices.csv?environment=test')).text)).toEqual(['AUD']);
  });

  /** The cells of the column. */
  function currencies(csv: string): (string | undefined)[] {
    const [head = [], ...rows] = csv
      .trim()
      .split('\r\n')
      .map((row) => row.split(',').map((cell) => cell.replaceAll('"', '')));
    return rows.map((row) => row[head.indexOf('Currency')]);
  }
});
