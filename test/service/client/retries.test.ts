import {
  ConnectionError,
  IdempotencyKeyReusedError,
  RateLimitedError,
  TimeoutError,
  TradePrint,
  TradePrintError,
} from '@trade-print/client';
import { aKey } from '../../support/accounts';
import { sharedService, type TestService } from '../../support/service';
import {
  aClient,
  answerWith,
  aQuoteId,
  startStub,
  startLossyProxy,
  cutConnection,
  rejectionOf,
  neverAnswer,
  refuseWith,
  succeedWith,
  type StubServer,
} from './support';

const stubs: StubServer[] = [];
afterEach(async () => {
  await Promise.all(stubs.splice(0).map((stub) => stub.close()));
});

/** A client of a server with these responses. */
async function clientOfStub(...stubAnswers: Parameters<typeof startStub>): Promise<{ client: TradePrint; stub: StubServer }> {
  const started = await startStub(...stubAnswers);
  stubs.push(started);
  return { client: new TradePrint({ apiKey: 'lpk_test_key', baseUrl: started.url }), stub: started };
}

const idempotencyKeysOf = ({ requests }: StubServer) => requests.map(({ headers }) => headers['idempotency-key']);

describe('against the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await sharedService();
  });
  afterAll(() => service.stop());

  it('an order whose response is lost is placed once, and the repeat returns the lost response', async () => {
    const quoteId = await aQuoteId(aClient(service));
    const proxy = await startLossyProxy(service.api.tradePort ?? 0);
    try {
      proxy.responsesToDrop = 2;
      const order = await aClient(service, { baseUrl: proxy.url }).orders.create({ quoteId });
      expect(proxy.droppedResponses).toHaveLength(2);
      expect(proxy.droppedResponses.map((bytes) => bytes.toString().includes(order.orderId))).toEqual([true, true]);
      const orders = await service.deps.database.rows<{ id: string }>('SELECT id FROM orders WHERE quote_id = $1', [quoteId]);
      expect(orders.map(({ id }) => id)).toEqual([order.orderId]);
    } finally {
      await proxy.close();
    }
  });

  it('a parcel whose response is lost is added once, and its tracking number voids it', async () => {
    const { orderId } = await aClient(service).orders.create({ quoteId: await aQuoteId(aClient(service)) });
    const proxy = await startLossyProxy(service.api.tradePort ?? 0);
    try {
      proxy.responsesToDrop = 2;
      const { shipments } = await aClient(service, { baseUrl: proxy.url }).test.advance(orderId, { parcel: { carrier: 'A carrier' } });
      expect(proxy.droppedResponses).toHaveLength(2);
      expect(shipments).toMatchObject([{ carrier: 'A carrier', trackingNumber: expect.stringMatching(/^TEST-/) }]);
      const voided = await aClient(service).test.advance(orderId, { voidParcel: shipments[0]?.trackingNumber ?? '' });
      expect(voided.shipments).toEqual([]);
    } finally {
      await proxy.close();
    }
  });

  it('a call without retries is not repeated, and reports the broken connection', async () => {
    const proxy = await startLossyProxy(service.api.tradePort ?? 0);
    try {
      proxy.responsesToDrop = 5;
      const error = await rejectionOf(aClient(service, { baseUrl: proxy.url, maxRetries: 0 }).catalogue.get({ requestId: 'mine-1' }));
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ code: 'CONNECTION_ERROR', status: null, requestId: 'mine-1' });
      expect(proxy.droppedResponses).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  });

  it('a rate-limited call waits for Retry-After, but no longer than its timeout', async () => {
    const apiKey = await aKey(service.deps.database, service.account.accountId); // earlier requests with the shared key would end its limit sooner
    const client = aClient(service, { apiKey, timeoutMs: 45_000 });
    const failures: unknown[] = [];
    const rateLimitedErrors = () => failures.filter((error) => error instanceof RateLimitedError);
    const startedMs = Date.now();
    for (let burst = 0; burst < 3 && rateLimitedErrors().length === 0; burst += 1)
      failures.push(...(await Promise.all(Array.from({ length: 61 }, () => rejectionOf(client.orders.create({ quoteId: 'quo_none' }))))));
    expect(rateLimitedErrors().length).toBeGreaterThan(0);
    // The service requests a longer wait than the timeout of the call: the client reports that at once instead of a timeout.
    const elapsedSeconds = (Date.now() - startedMs) / 1000;
    for (const error of rateLimitedErrors()) expect(error.retryAfterSeconds).toBeGreaterThan(45 - elapsedSeconds);
    expect(failures.filter((error) => error instanceof TimeoutError)).toEqual([]);
  });
});

describe('a step of a test order', () => {
  it.each([
    ['a parcel', { parcel: {} }, { parcel: { trackingNumber: expect.stringMatching(/^TEST-/) } }],
    ['a parcel with a number', { parcel: { trackingNumber: 'A1' } }, { parcel: { trackingNumber: 'A1' } }],
    ['a parcel with an id', { parcel: { parcelId: 'p1', trackingNumber: null } }, { parcel: { parcelId: 'p1', trackingNumber: null } }],
    ['a payment', { payment: { amountCents: 100 } }, { payment: { amountCents: 100, paymentId: expect.stringMatching(/^TEST-/) } }],
    ['a payment with an id', { payment: { paymentId: 'b1' } }, { payment: { paymentId: 'b1' } }],
    ['a remake', { remake: {} }, { remake: { remakeId: expect.stringMatching(/^TEST-/) } }],
    ['a status', { to: 'shipped' }, { to: 'shipped' }],
  ])('%s sends the same id in each repeat', async (_what, step, sent) => {
    const { client, stub } = await clientOfStub(cutConnection, succeedWith({ orderId: 'ord_1' }));
    await client.test.advance('ord_1', step as never);
    const [first, second] = stub.requests.map(({ body }) => JSON.parse(body) as unknown);
    expect(first).toEqual(sent);
    expect(second).toEqual(first);
  });
});

describe('a call is repeated after', () => {
  it.each([
    ['a connection that breaks', cutConnection],
    ['408', refuseWith(408, 'SLOW')],
    ['429', refuseWith(429, 'RATE_LIMITED')],
    ['500', refuseWith(500, 'INTERNAL_ERROR')],
    ['502 of a gateway', answerWith(502, '<html>Bad gateway</html>')],
    ['503', refuseWith(503, 'LATER')],
    ['503 OVERLOADED', refuseWith(503, 'OVERLOADED', { 'retry-after': '0' })],
    ['the same key in progress', refuseWith(409, 'IDEMPOTENCY_KEY_REUSED', { 'retry-after': '0' })],
  ])('%s, with the same key and request id', async (_what, trouble) => {
    const against1 = await clientOfStub(trouble, succeedWith({ orderId: 'ord_1' }));
    expect(await against1.client.orders.create({ quoteId: 'quo_1' })).toEqual({ orderId: 'ord_1' });
    const { requests } = against1.stub;
    expect(requests).toHaveLength(2);
    expect(new Set(idempotencyKeysOf(against1.stub)).size).toBe(1);
    expect(idempotencyKeysOf(against1.stub)[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(requests.map(({ headers, body }) => `${headers['service-request-id'] as string} ${body}`)).size).toBe(1);
  });

  it.each([
    ['an error of the caller', refuseWith(400, 'VALIDATION_ERROR')],
    ['a key used with another body', refuseWith(409, 'IDEMPOTENCY_KEY_REUSED')],
    ['another conflict', refuseWith(409, 'QUOTE_EXPIRED', { 'retry-after': '0' })],
    ['an unknown code', refuseWith(422, 'FROM_THE_FUTURE')],
    ['a redirect', answerWith(302, '', { location: 'http://127.0.0.1:9/' })],
    ['a success of another server', answerWith(200, '<html>Welcome to the airport</html>')],
  ])('not %s', async (_what, refusal) => {
    const { client, stub } = await clientOfStub(refusal, succeedWith({}));
    expect(await rejectionOf(client.orders.create({ quoteId: 'quo_1' }))).toBeInstanceOf(TradePrintError);
    expect(stub.requests).toHaveLength(1);
  });

  it('three times at most by default, and throws the last failure', async () => {
    const { client, stub } = await clientOfStub(refuseWith(503, 'LATER', { 'retry-after': '0' }));
    expect(await rejectionOf(client.catalogue.get())).toMatchObject({ code: 'LATER', status: 503, requestId: 'req_stub' });
    expect(stub.requests).toHaveLength(4);
  });

  it('only a rate limit if it resends a webhook, because each call sends it', async () => {
    const { client, stub } = await clientOfStub(
      refuseWith(429, 'RATE_LIMITED', { 'retry-after': '0' }),
      refuseWith(503, 'LATER'),
      succeedWith({}),
    );
    expect(await rejectionOf(client.webhookDeliveries.resend('dlv_1'))).toMatchObject({ code: 'LATER' });
    expect(stub.requests).toHaveLength(2);
    const broken = await clientOfStub(cutConnection);
    expect(await rejectionOf(broken.client.webhookDeliveries.resend('dlv_1'))).toBeInstanceOf(ConnectionError);
    expect(broken.stub.requests).toHaveLength(1);
  });

  it('every POST has its own key, and a GET has none', async () => {
    const { client, stub } = await clientOfStub(succeedWith({}));
    await client.orders.create({ quoteId: 'quo_1' });
    await client.orders.cancel('ord_1');
    await client.quotes.get('quo_1');
    await client.orders.create({ quoteId: 'quo_1' }, { idempotencyKey: 'mine' });
    const [first, second, none, mine] = idempotencyKeysOf(stub);
    expect(first).not.toBe(second);
    expect([typeof first, typeof second, none, mine]).toEqual(['string', 'string', undefined, 'mine']);
  });
});

describe('Retry-After', () => {
  const waitBetweenRequests = ({ requests: [first, second] }: StubServer): number => (second?.at ?? 0) - (first?.at ?? 0);

  it.each([
    ['seconds', () => '1', 1_000],
    // A date has no fractions, so two seconds from now may be slightly more than one.
    ['a date', () => new Date(Date.now() + 2_000).toUTCString(), 1_000],
  ])('is obeyed as %s', async (_form, header, leastMs) => {
    const { client, stub } = await clientOfStub(
      (response, at) => refuseWith(429, 'RATE_LIMITED', { 'retry-after': header() })(response, at),
      succeedWith({}),
    );
    await client.catalogue.get();
    expect(stub.requests).toHaveLength(2);
    // A timer may fire a millisecond early by the clock of requests.
    expect(waitBetweenRequests(stub)).toBeGreaterThanOrEqual(leastMs - 5);
  });

  it('is on the error, in seconds', async () => {
    const { client } = await clientOfStub(refuseWith(409, 'IDEMPOTENCY_KEY_REUSED', { 'retry-after': '120' }));
    const error = await rejectionOf(client.orders.create({ quoteId: 'quo_1' }));
    expect(error).toBeInstanceOf(IdempotencyKeyReusedError);
    expect(error.retryAfterSeconds).toBe(120);
  });
});

describe('a call ends', () => {
  it.each([
    ['during a request', neverAnswer],
    ['during the wait for a retry', refuseWith(503, 'LATER', { 'retry-after': '30' })],
  ])('at once when the signal aborts, with its reason, %s', async (_when, answer) => {
    const { client, stub } = await clientOfStub((response, at) => {
      answer(response, at);
      // After the response arrived, or while it never arrives.
      setTimeout(() => abort.abort(reason), 200);
    });
    const abort = new AbortController();
    const reason = new Error('the customer left');
    expect(await rejectionOf(client.catalogue.get({ signal: abort.signal }))).toBe(reason);
    expect(stub.requests).toHaveLength(1);
  });

  it('before any request if the signal is already aborted', async () => {
    const { client, stub } = await clientOfStub(succeedWith({}));
    expect(await rejectionOf(client.catalogue.get({ signal: AbortSignal.abort() }))).toMatchObject({ name: 'AbortError' });
    expect(stub.requests).toEqual([]);
  });

  it.each([
    ['during a request', neverAnswer],
    ['during a response', (response: any) => void response.writeHead(200).write('{"data":')],
  ])('after its timeout, %s', async (_when, answer) => {
    const { client } = await clientOfStub(answer);
    const error = await rejectionOf(client.catalogue.get({ timeoutMs: 200, requestId: 'mine-2' }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'TIMEOUT', status: null, requestId: 'mine-2' });
  });

  it('without a listener on a long-lived signal', async () => {
    const { client } = await clientOfStub(succeedWith({}));
    const abort = new AbortController();
    const added = jest.spyOn(abort.signal, 'addEventListener');
    const removed = jest.spyOn(abort.signal, 'removeEventListener');
    await client.catalogue.get({ signal: abort.signal });
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, listener]) => listener));
    expect(added).toHaveBeenCalled();
  });
});
