import { inspect } from 'node:util';
import {
  BadRequestError,
  ConflictError,
  ForbiddenError,
  issuesOf,
  NotFoundError,
  OrderNotCancellableError,
  OrderNotChangeableError,
  PreconditionFailedError,
  PaymentRequiredError,
  QuoteAlreadyOrderedError,
  QuoteExpiredError,
  RateLimitedError,
  REFUSALS,
  ServerError,
  ShippingUnavailableError,
  TradePrint,
  TradePrintError,
  UnauthorizedError,
  ValidationError,
  VERSION,
  type ClientOptions,
  type ErrorFacts,
  type QuoteRequest,
} from '@trade-print/client';
import * as undici from 'undici';
import { ERROR_STATUS } from '../../../src/domain/errors';
import manifest from '../../../packages/client/package.json';
import { sharedService, type TestService } from '../../support/service';
import { aBasket, aClient, answerWith, aQuoteId, startStub, rejectionOf, refuseWith } from './support';

let service: TestService;
let client: TradePrint;
beforeAll(async () => {
  service = await sharedService();
  client = aClient(service);
});
afterAll(() => service.stop());

function catchError(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return error;
  }
}

const anOrder = async () => client.orders.create({ quoteId: await aQuoteId(client), specialInstructions: 'flat, please' });

describe('calls', () => {
  it('take a basket from the catalogue to an order that can be read, listed and cancelled', async () => {
    const { products, media } = await client.catalogue.get();
    expect(products.map(({ slug }) => slug)).toContain('fine-art-printing');
    expect(media.length).toBeGreaterThan(0);
    const quoteId = await aQuoteId(client);
    const quote = await client.quotes.get(quoteId);
    expect(quote).toMatchObject({ quoteId, environment: 'test', consumedAt: null });
    expect(await client.quotes.breakdown(quoteId)).toMatchObject({ quoteId, totalCents: quote.totalCents });
    const order = await client.orders.create({ quoteId });
    expect(order).toMatchObject({ quoteId, status: 'received', totalCents: quote.totalCents });
    expect(await client.orders.get(order.orderId)).toEqual(order);
    expect(await client.orders.cancel(order.orderId)).toMatchObject({ orderId: order.orderId, status: 'cancelled' });
    expect(await client.orders.cancel(order.orderId)).toMatchObject({ orderId: order.orderId, status: 'cancelled' });
  });

  it("show the key's account, and an order's details and invoice as data and as PDF", async () => {
    const { orderId, totalCents } = await anOrder();
    expect(await client.orders.details(orderId)).toMatchObject({
      orderId,
      shippingAddress: { postcode: '3000' },
      lines: [{ quantity: 1 }],
    });
    const { environment, outstandingCents, scopes } = await client.account.get();
    expect([environment, outstandingCents >= totalCents, scopes]).toEqual(['test', true, ['price:read', 'orders:read', 'orders:write']]);
    const { invoiceNumber, ...invoice } = await client.orders.invoice(orderId);
    expect(invoice).toMatchObject({ orderId, state: 'open', dueCents: totalCents });
    const pdf = await client.orders.invoicePdf(orderId);
    expect([pdf.constructor.name, Buffer.from(pdf).subarray(0, 5).toString()]).toEqual(['Uint8Array', '%PDF-']);
    expect(Buffer.from(pdf).toString('latin1')).toContain(invoiceNumber);
    expect(await rejectionOf(client.orders.invoicePdf('ord_00'))).toBeInstanceOf(NotFoundError);
  });

  it('refuse a response that is not a PDF', async () => {
    const stub = await startStub(answerWith(200, '<html>a gateway</html>'));
    const error = await rejectionOf(new TradePrint({ apiKey: 'k', baseUrl: stub.url }).orders.invoicePdf('ord_1'));
    await stub.close();
    expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 });
  });

  it('download the catalogue again only after a change', async () => {
    const kept = await client.catalogue.getIfChanged();
    expect(kept?.catalogue).toEqual(await client.catalogue.get());
    expect(await client.catalogue.getIfChanged(kept?.etag)).toBeNull();
    expect(await client.catalogue.getIfChanged('"of yesterday"')).toEqual(kept);
  });

  it("work with undici's fetch, including uploads", async () => {
    const through = aClient(service, { fetch: undici.fetch });
    const quoteId = await aQuoteId(through);
    expect(await through.orders.create({ quoteId })).toMatchObject({ quoteId });
  });

  it('change an order before production, once for any number of repeats, and return the price difference', async () => {
    const { orderId, totalCents } = await anOrder();
    const idempotencyKey = crypto.randomUUID();
    const change = { lines: [{ line: 0, externalReference: 'A-17' }], specialInstructions: null };
    const changed = await client.orders.change(orderId, change, { idempotencyKey });
    expect(changed.lines[0]?.externalReference).toBe('A-17');
    expect(await client.orders.change(orderId, change, { idempotencyKey })).toEqual(changed);
    const { shippingAddress } = aBasket('');
    const refused = await rejectionOf(
      client.orders.change(orderId, { shippingAddress: { ...shippingAddress, postcode: '0800', state: 'NT' } }),
    );
    expect(refused).toBeInstanceOf(OrderNotChangeableError);
    expect(refused).toMatchObject({ status: 409, details: { totalCents } });
    await client.test.advance(orderId, { to: 'in_production' });
    expect(await rejectionOf(client.orders.change(orderId, change))).toBeInstanceOf(OrderNotChangeableError);
  });

  it('print, pay and remake a test order, and expire a test quote', async () => {
    const { orderId } = await anOrder();
    await client.test.advance(orderId, { printed: true });
    const { cancellable } = await client.test.advance(orderId, { payment: { paymentId: 'bank-1', amountCents: 100 } });
    expect(cancellable.blockers).toEqual(['printed', 'money']);
    await client.test.advance(orderId, { remake: { remakeId: 'r1' } });
    const { remakes } = await client.test.advance(orderId, { ofRemake: 0, to: 'shipped' });
    expect(remakes).toMatchObject([{ status: 'shipped' }]);
    const quoteId = await aQuoteId(client);
    await client.test.expireQuote(quoteId);
    expect(await rejectionOf(client.orders.create({ quoteId }))).toBeInstanceOf(QuoteExpiredError);
  });

  it('return the delivery methods of a basket with prices', async () => {
    const { url } = await client.uploads.upload(new Uint8Array(10), { filename: 'dunes.png' });
    const options = await client.quotes.shippingOptions(aBasket(url));
    expect(options.length).toBeGreaterThan(1);
    for (const { id, priceCents } of options) expect([typeof id, typeof priceCents]).toEqual(['string', 'number']);
  });

  it('price baskets without artwork, each separately', async () => {
    const { items, shippingAddress } = aBasket('');
    const { currency, baskets } = await client.prices.calculate({ baskets: [{ items, shippingAddress }] });
    expect([currency, baskets.length]).toEqual(['AUD', 1]);
    expect(baskets[0]?.price?.totalCents).toBeGreaterThan(0);
    expect(baskets[0]?.price?.shippingOptions?.length).toBeGreaterThan(1);
    const [bad] = (await client.prices.calculate({ baskets: [{ items: items.map((item) => ({ ...item, productSlug: 'scanning' })) }] }))
      .baskets;
    expect(bad).toMatchObject({ price: null, issues: [{ code: 'PRODUCT_UNSUPPORTED', line: 0, path: 'items.0.productSlug' }] });
  });

  it('return all issues of a refusal in one list', async () => {
    const [line] = aBasket('https://elsewhere.example/').items;
    const basket = {
      ...aBasket(''),
      items: [
        { ...line, quantity: 990, productSlug: 'custom-framing' },
        { ...line, productSlug: 'scanning' },
      ],
    };
    const told = async (call: Promise<unknown>) => issuesOf(await rejectionOf(call)).map(({ code, line: at, path }) => [code, at, path]);
    const rest = [
      ['VALIDATION_ERROR', 0, 'items.0.variantSelections.mouldingId'],
      ['VALIDATION_ERROR', 0, 'items.0.variantSelections.glazingId'],
      ['ARTWORK_NOT_ALLOWED', 0, 'items.0.imageUrl'],
      ['PRODUCT_UNSUPPORTED', 1, 'items.1.productSlug'],
    ];
    expect(await told(client.quotes.create(basket as QuoteRequest))).toEqual([['INVALID_QUANTITY', 0, 'items.0.quantity'], ...rest]);
    const wrong = { ...basket, whiteLabel: 'no' } as unknown as QuoteRequest;
    expect((await told(client.quotes.create(wrong)))[0]).toEqual(['VALIDATION_ERROR', null, 'whiteLabel']);
    expect(await told(client.prices.calculate({ baskets: [{ items: [{ ...line, quantity: 0 }] } as never] }))).toEqual([
      ['VALIDATION_ERROR', 0, 'baskets.0.items.0.quantity'],
    ]);
    expect(await told(client.orders.get('ord_00'))).toEqual([]);
    expect(issuesOf(new Error('of another kind'))).toEqual([]);
  });

  it('iterate over a list of any length, and read one page where that is sufficient', async () => {
    const placed = [await anOrder(), await anOrder(), await anOrder()].map(({ orderId }) => orderId).reverse();
    const list = client.orders.list({ limit: 2 });
    const read: string[] = [];
    for await (const { orderId } of list) read.push(orderId);
    expect(read.slice(0, 3)).toEqual(placed);
    expect(new Set(read).size).toBe(read.length);
    const { orderId: cancelledId } = await client.orders.cancel(placed[1] ?? '');
    const cancelled: string[] = [];
    for await (const { orderId } of client.orders.list({ status: 'cancelled', limit: 1 })) cancelled.push(orderId);
    expect(cancelled).toContain(cancelledId);
    expect(cancelled).not.toContain(placed[0]);
    const first = await list.page();
    expect(first.data.map(({ orderId }) => orderId)).toEqual(placed.slice(0, 2));
    const second = await list.page(first.nextCursor);
    expect(second.data[0]?.orderId).toBe(placed[2]);
    const turned: string[] = [];
    let cursor: string | null | undefined;
    do {
      const { data, nextCursor } = await list.page(cursor);
      turned.push(...data.map(({ orderId }) => orderId));
      cursor = nextCursor;
    } while (cursor !== null);
    expect(turned).toEqual(read);
  });

  it('return an empty page after the last one, without a request', async () => {
    const stub = await startStub(answerWith(200, { data: [{ orderId: 'ord_1' }], error: null, nextCursor: null }));
    const list = new TradePrint({ apiKey: 'k', baseUrl: stub.url }).orders.list();
    const { nextCursor } = await list.page();
    expect(await list.page(nextCursor)).toEqual({ data: [], nextCursor: null });
    await stub.close();
    expect(stub.requests).toHaveLength(1);
  });

  it.each<[string, (list: TradePrint) => AsyncIterable<unknown>, number]>([
    ['orders', (stubbed) => stubbed.orders.list(), 2],
    ['orders after a cursor', (stubbed) => stubbed.orders.list({ cursor: 'same' }), 1],
    ['events', (stubbed) => stubbed.events.list(), 2],
    ['events after the last', (stubbed) => stubbed.events.list({ after: 'same' }), 1],
  ])('do not loop: a page of %s that links to itself is an error', async (_what, listOf, asked) => {
    const stub = await startStub(answerWith(200, { data: [{ id: '1' }], error: null, nextCursor: 'same' }));
    const read: unknown[] = [];
    const readAll = async () => {
      for await (const one of listOf(new TradePrint({ apiKey: 'k', baseUrl: stub.url }))) if (read.push(one) > 5) return;
    };
    const error = await rejectionOf(readAll());
    await stub.close();
    expect(error).toBeInstanceOf(TradePrintError);
    expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200, requestId: expect.stringMatching(/./) });
    expect(read).toHaveLength(asked - 1);
    expect(stub.requests).toHaveLength(asked);
  });

  it("read the account's events after a given one, as webhooks send them", async () => {
    const before: string[] = [];
    for await (const { id } of client.events.list({ limit: 2 })) before.push(id);
    expect(await client.events.latest()).toEqual({ id: before.at(-1) ?? null });
    const order = await anOrder();
    await client.orders.cancel(order.orderId);
    const told: unknown[] = [];
    for await (const event of client.events.list({ after: before.at(-1), limit: 1 })) told.push([event.type, event.data]);
    expect(told).toEqual([
      ['order.received', order],
      ['order.cancelled', await client.orders.get(order.orderId)],
    ]);
    const { data, nextCursor } = await client.events.list({ limit: 1 }).page();
    expect([data.map(({ id }) => id), nextCursor]).toEqual([before.slice(0, 1), before[0]]);
  });

  it('escape their arguments, and refuse an invalid id before they request another resource', async () => {
    expect(await rejectionOf(client.orders.get('../orders?limit=1'))).toBeInstanceOf(NotFoundError);
    expect(await rejectionOf(client.orders.get(undefined as never))).toBeInstanceOf(TypeError);
    for (const id of ['', '.', '..']) {
      expect(await rejectionOf(client.orders.get(id))).toBeInstanceOf(TypeError);
      expect(await rejectionOf(client.orders.cancel(id))).toBeInstanceOf(TypeError);
    }
    expect(await rejectionOf(client.orders.get('...'))).toBeInstanceOf(NotFoundError);
  });

  it('send a User-Agent with their version', async () => {
    const stub = await startStub(answerWith(200, { data: {}, error: null }));
    await new TradePrint({ apiKey: ' lpk_test_key\n', baseUrl: `${stub.url}/` }).catalogue.get({ requestId: 'mine-3' });
    await stub.close();
    expect(stub.requests[0]).toMatchObject({
      url: '/stub/v1/catalogue',
      headers: { authorization: 'Bearer lpk_test_key', 'user-agent': `trade-print-client/${VERSION}`, 'service-request-id': 'mine-3' },
    });
    expect(VERSION).toBe(manifest.version);
  });

  it.each([
    ['no key', { apiKey: '' }],
    ['an address without its version', { apiKey: 'k', baseUrl: 'https://print.example' }],
    ['an invalid timeout', { apiKey: 'k', timeoutMs: 0 }],
    ['an invalid number of retries', { apiKey: 'k', maxRetries: -1 }],
    ['an invalid address', { apiKey: 'k', baseUrl: 'http://[/v1' }],
  ])('refuse %s', (_what, options) => {
    expect(() => new TradePrint(options)).toThrow(TypeError);
  });

  it.each<[string, Partial<ClientOptions>]>([
    ['a key with a space', { apiKey: 'lpk_live_HID DEN' }],
    ['a key in two lines', { apiKey: 'lpk_live_HID\nDEN' }],
    ['a key with a control character', { apiKey: 'lpk_live_HIDDEN\0' }],
    ['a key in another alphabet', { apiKey: 'lpk_live_HIDDEN_Ж' }],
    ['a key with an accent', { apiKey: 'lpk_live_HIDDEN_é' }],
    ['a password in the address', { apiKey: 'k', baseUrl: 'https://shop:HIDDEN@print.example/v1' }],
    ['a user in the address', { apiKey: 'k', baseUrl: 'https://HIDDEN@print.example/v1' }],
    ['a password in an invalid address', { apiKey: 'k', baseUrl: 'https://shop:HIDDEN@[/v1' }],
  ])('refuse %s, and the error does not repeat it', (_what, options) => {
    const error = catchError(() => new TradePrint(options as ClientOptions));
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(/HID|DEN/);
  });

  it.each([
    ['idempotencyKey', 'HIDDEN\n'],
    ['idempotencyKey', 'HIDDEN✓'],
    ['idempotencyKey', 'HIDDEN\u0001'],
    ['requestId', 'HIDDEN\r\n'],
    ['requestId', 7],
  ])('refuse an %s that is invalid in a header, by its name and without its value, before any request', async (option, value) => {
    const stub = await startStub(answerWith(200, { data: {}, error: null }));
    const named = new TradePrint({ apiKey: 'lpk_live_HIDDEN', baseUrl: stub.url });
    const error = await rejectionOf(named.orders.create({ quoteId: 'quo_1' }, { [option]: value }));
    await stub.close();
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(option);
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('HIDDEN');
    expect(stub.requests).toEqual([]);
  });
});

/** Classes that a program catches by HTTP status. */
const STATUS_CLASSES: Record<number, new (facts: ErrorFacts) => TradePrintError> = {
  400: BadRequestError,
  401: UnauthorizedError,
  402: PaymentRequiredError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  429: RateLimitedError,
  500: ServerError,
  503: ServerError,
  507: ServerError,
};

describe('errors', () => {
  it('have the class of their code, with details, status and request id', async () => {
    const order = await anOrder();
    const again = await rejectionOf(client.orders.create({ quoteId: order.quoteId ?? '' }));
    expect(again).toBeInstanceOf(QuoteAlreadyOrderedError);
    expect(again).toMatchObject({ name: 'QuoteAlreadyOrderedError', status: 409, details: { orderId: order.orderId } });
    const invalid = await rejectionOf(client.quotes.create({} as never, { requestId: 'mine-4' }));
    expect(invalid).toBeInstanceOf(ValidationError);
    expect(invalid.details.paths).toEqual(expect.arrayContaining(['items', 'shippingAddress', 'shippingAddress.line1']));
    expect(invalid.requestId).toBe('mine-4');
    expect(service.logLines.some((line) => line.includes('mine-4'))).toBe(true);
    expect(await rejectionOf(aClient(service, { apiKey: 'lpk_test_wrong' }).catalogue.get())).toBeInstanceOf(UnauthorizedError);
  });

  it('a late cancel gives the reason', async () => {
    const { orderId } = await anOrder();
    const sendMilestone = (type: string) => service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: `m-${type}`, type });
    for (const type of ['production_started', 'printed']) expect((await sendMilestone(type)).status).toBe(200);
    expect(await rejectionOf(client.orders.cancel(orderId))).toBeInstanceOf(OrderNotCancellableError);
  });

  it.each(Object.entries(REFUSALS))('%s has its own class', async (code, Refusal) => {
    const status = ERROR_STATUS[code as keyof typeof ERROR_STATUS];
    const stub = await startStub(refuseWith(status, code));
    const error = await rejectionOf(new TradePrint({ apiKey: 'k', baseUrl: stub.url, maxRetries: 0 }).catalogue.get());
    await stub.close();
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toBeInstanceOf(STATUS_CLASSES[status]);
    expect(error).toMatchObject({ code, status, requestId: 'req_stub', name: Refusal.name, message: `${code} it is` });
  });

  it.each(Object.entries(STATUS_CLASSES))('an unknown code has the class of its status %s', async (status, StatusClass) => {
    const stub = await startStub(refuseWith(Number(status), 'FROM_THE_FUTURE'));
    const error = await rejectionOf(new TradePrint({ apiKey: 'k', baseUrl: stub.url, maxRetries: 0 }).catalogue.get());
    await stub.close();
    expect(Object.getPrototypeOf(error)).toBe(StatusClass.prototype);
    expect(error).toMatchObject({ code: 'FROM_THE_FUTURE', status: Number(status), name: StatusClass.name, details: undefined });
  });

  it.each([
    ['a status without codes', refuseWith(422, 'FROM_THE_FUTURE'), { code: 'FROM_THE_FUTURE', status: 422, requestId: 'req_stub' }],
    ['a method that the path does not support', refuseWith(405, 'METHOD_NOT_ALLOWED'), { code: 'METHOD_NOT_ALLOWED', status: 405 }],
    ['a response of another server', answerWith(404, '<html>nginx</html>'), { code: 'UNEXPECTED_ANSWER', status: 404 }],
    ['JSON of another server', answerWith(400, { message: 'no' }), { code: 'UNEXPECTED_ANSWER', status: 400 }],
  ])('%s has the base class', async (_what, answer, expected) => {
    const stub = await startStub(answer);
    const error = await rejectionOf(new TradePrint({ apiKey: 'k', baseUrl: stub.url, maxRetries: 0 }).catalogue.get());
    await stub.close();
    expect(Object.getPrototypeOf(error)).toBe(TradePrintError.prototype);
    expect(error).toMatchObject(expected);
    expect(error.requestId).toMatch(/./);
  });

  it('an endless response is aborted long before it fills the memory', async () => {
    const stub = await startStub((response) => {
      const writeEndlessly = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1_000_000, ' ')));
      };
      response.writeHead(200, { 'content-type': 'application/json' }).on('drain', writeEndlessly);
      writeEndlessly();
    });
    const error = await rejectionOf(new TradePrint({ apiKey: 'k', baseUrl: stub.url, timeoutMs: 30_000 }).catalogue.get());
    await stub.close();
    expect(error).toBeInstanceOf(TradePrintError);
    expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200, message: expect.stringContaining('more than 67108864 bytes') });
    expect(stub.requests).toHaveLength(1);
  });

  it('a refusal without delivery methods is thrown unchanged', async () => {
    const code = 'SHIPPING_UNAVAILABLE';
    const said = [undefined, null, {}].map((details) => answerWith(400, { data: null, error: { code, message: 'none', details } }));
    const stub = await startStub(...said);
    const { quotes } = new TradePrint({ apiKey: 'k', baseUrl: stub.url });
    for (const _answer of said)
      expect(await rejectionOf(quotes.shippingOptions(aBasket('https://a.example')))).toBeInstanceOf(ShippingUnavailableError);
    await stub.close();
  });
});
