import { createLogger } from '../../src/logger';
import { quietTemporalLogger } from '../../src/temporal/workers';
import { newId } from '../../src/security/ids';
import { aKeyHeader, aLine, anAddress, aQuote, aQuoteRequest, placeOrder } from '../support/baskets';
import { sharedService, type TestService } from '../support/service';
import { aTrader, expectRefusal, sql } from './http/support';

/** What must never be in a log, as this run sends it. */
const SECRETS = {
  name: 'Zebulon Quist',
  email: 'zebulon.quist@secret-mail.example',
  line1: '77 Hidden Orchard Way',
  phone: '+61 499 123 987',
  reference: 'client-reference-4711',
  instructions: 'ring the back door bell',
  filename: 'private-portrait.jpg',
  idempotencyKey: 'idem-secret-9f3a',
  accountMail: 'gallery@example.com',
};

describe('The log after a whole run, failures included', () => {
  let service: TestService;
  const forbidden: string[] = Object.values(SECRETS);
  beforeAll(async () => {
    service = await sharedService();
    const { trade, testKey, liveKey, accountId } = await aTrader(service);
    forbidden.push(testKey, liveKey, testKey.slice(9), liveKey.slice(9), service.adminToken);
    const upload = (await trade.post('/uploads', { filename: SECRETS.filename, contentType: 'image/jpeg', sizeBytes: 1 })).json.data;
    forbidden.push(upload.url, upload.uploadUrl, upload.key);
    const address = anAddress({ name: SECRETS.name, email: SECRETS.email, line1: SECRETS.line1, phone: SECRETS.phone });
    const request = await aQuoteRequest(trade, {
      items: [aLine(upload.url, { externalReference: SECRETS.reference })],
      shippingAddress: address,
    });
    const quote = (await trade.post('/quotes', { ...request, whiteLabel: false })).json.data;
    const placed = await placeOrder(
      trade,
      quote.quoteId,
      { 'idempotency-key': SECRETS.idempotencyKey },
      { specialInstructions: SECRETS.instructions },
    );
    await placeOrder(trade, quote.quoteId, { 'idempotency-key': SECRETS.idempotencyKey }, { specialInstructions: SECRETS.instructions });
    await trade.get(`/orders/${placed.json.data.orderId}?note=${encodeURIComponent(SECRETS.email)}`);
    await refusals(trade, request, accountId);
    await trade.post(`/orders/${placed.json.data.orderId}/cancel`);
    const live = service.trade(liveKey);
    await placeOrder(live, (await aQuote(live, { shippingAddress: address, whiteLabel: false })).quoteId);
    await fault(request, testKey);
  });
  afterAll(() => service.stop());

  async function refusals(trade: ReturnType<TestService['trade']>, request: object, accountId: string): Promise<void> {
    await trade.post('/quotes', { ...request, shippingMethodId: null });
    await trade.post('/quotes', { ...request, shippingAddress: anAddress({ ...SECRETS, country: 'XX' }) });
    await trade.post('/quotes', { ...request, items: [aLine(`https://storage.example/${SECRETS.filename}`)] });
    await trade.send('POST', '/quotes', `{"email":"${SECRETS.email}"`);
    await placeOrder(trade, newId('quo'), aKeyHeader(), { specialInstructions: SECRETS.instructions });
    await service.trade('lpk_test_of_nobody').get(`/orders/${encodeURIComponent(SECRETS.email)}`);
    await sql(service, 'UPDATE accounts SET credit_limit_cents = 0 WHERE id = $1', [accountId]);
    await placeOrder(trade, (await aQuote(trade)).quoteId);
    await sql(service, 'UPDATE accounts SET credit_limit_cents = NULL WHERE id = $1', [accountId]);
  }

  /** A failing insert carries all its values: the driver's error must not take them into the log. */
  async function fault(request: object, key: string): Promise<void> {
    await sql(service, 'ALTER TABLE quotes ADD CONSTRAINT refuses_everything CHECK (total_cents < 0) NOT VALID');
    try {
      expectRefusal(await service.trade(key).post('/quotes', request), 500, 'INTERNAL_ERROR');
    } finally {
      await sql(service, 'ALTER TABLE quotes DROP CONSTRAINT refuses_everything');
    }
  }

  it('has a line for every request, each of it JSON', () => {
    const requests = service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    expect(requests.length).toBeGreaterThan(15);
    for (const line of requests)
      expect(line).toMatchObject({
        method: expect.any(String),
        route: expect.any(String),
        status: expect.any(Number),
        ms: expect.any(Number),
        requestId: expect.any(String),
      });
    expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200, 201, 400, 401, 402, 404, 500]));
  });

  it('names the fault by its constraint', () => {
    expect(service.logLines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'internal error')).toMatchObject({
      err: { constraint: 'refuses_everything' },
    });
  });

  it('holds no key, token, address, e-mail, reference or artwork URL in any line', () => {
    const found = forbidden.filter((secret) =>
      service.logLines.some((line) => line.includes(secret) || line.includes(encodeURIComponent(secret))),
    );
    expect(found).toEqual([]);
  });
});

describe('the log of a worker', () => {
  it('names the error that the SDK tells of', () => {
    const lines: string[] = [];
    const logger = createLogger('warn', 'worker', { write: (line) => void lines.push(line) });
    quietTemporalLogger({ logger } as never).log('WARN', 'an activity failed', { error: new Error('disk is full'), attempt: 2 });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'an activity failed', attempt: 2, err: { type: 'Error', message: 'disk is full' } },
    ]);
  });
});
