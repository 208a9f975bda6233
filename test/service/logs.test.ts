import { createLogger, type Logger } from '../../src/platform/logger';
import { createTemporalLogger } from '../../src/temporal/workers';
import { newId } from '../../src/security/ids';
import { anIdempotencyKeyHeader, aLine, anAddress, aQuote, aQuoteRequest, placeOrder } from '../support/baskets';
import type { TestService } from '../support/service';
import { useSharedService } from '../support/fixtures';
import { aTrader, expectRefusal, sql } from './http/support';

/** Values of this run that no log may contain. */
const PERSONAL_DATA = {
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

describe('The log of a complete run with failures', () => {
  const service = useSharedService();
  const forbidden: string[] = Object.values(PERSONAL_DATA);
  beforeAll(async () => {
    const { trade, testKey, liveKey, accountId } = await aTrader(service);
    forbidden.push(testKey, liveKey, testKey.slice(9), liveKey.slice(9), service.adminToken);
    const upload = (await trade.post('/uploads', { filename: PERSONAL_DATA.filename, contentType: 'image/jpeg', sizeBytes: 1 })).json.data;
    forbidden.push(upload.url, upload.uploadUrl, upload.key);
    const address = anAddress({
      name: PERSONAL_DATA.name,
      email: PERSONAL_DATA.email,
      line1: PERSONAL_DATA.line1,
      phone: PERSONAL_DATA.phone,
    });
    const request = await aQuoteRequest(trade, {
      items: [aLine(upload.url, { externalReference: PERSONAL_DATA.reference })],
      shippingAddress: address,
    });
    const quote = (await trade.post('/quotes', { ...request, whiteLabel: false })).json.data;
    const placed = await placeOrder(
      trade,
      quote.quoteId,
      { 'idempotency-key': PERSONAL_DATA.idempotencyKey },
      { specialInstructions: PERSONAL_DATA.instructions },
    );
    await placeOrder(
      trade,
      quote.quoteId,
      { 'idempotency-key': PERSONAL_DATA.idempotencyKey },
      { specialInstructions: PERSONAL_DATA.instructions },
    );
    await trade.get(`/orders/${placed.json.data.orderId}?note=${encodeURIComponent(PERSONAL_DATA.email)}`);
    await sendRefusedRequests(trade, request, accountId);
    await trade.post(`/orders/${placed.json.data.orderId}/cancel`);
    const live = service.trade(liveKey);
    await placeOrder(live, (await aQuote(live, { shippingAddress: address, whiteLabel: false })).quoteId);
    await provokeFault(request, testKey);
  });

  async function sendRefusedRequests(trade: ReturnType<TestService['trade']>, request: object, accountId: string): Promise<void> {
    await trade.post('/quotes', { ...request, shippingMethodId: null });
    await trade.post('/quotes', { ...request, shippingAddress: anAddress({ ...PERSONAL_DATA, country: 'XX' }) });
    await trade.post('/quotes', { ...request, items: [aLine(`https://storage.example/${PERSONAL_DATA.filename}`)] });
    await trade.send('POST', '/quotes', `{"email":"${PERSONAL_DATA.email}"`);
    await placeOrder(trade, newId('quo'), anIdempotencyKeyHeader(), { specialInstructions: PERSONAL_DATA.instructions });
    await service.trade('lpk_test_of_nobody').get(`/orders/${encodeURIComponent(PERSONAL_DATA.email)}`);
    await sql(service, 'UPDATE accounts SET credit_limit_cents = 0 WHERE id = $1', [accountId]);
    await placeOrder(trade, (await aQuote(trade)).quoteId);
    await sql(service, 'UPDATE accounts SET credit_limit_cents = NULL WHERE id = $1', [accountId]);
  }

  /** A failing insert carries all its values: the driver's error must not write them to the log. */
  async function provokeFault(request: object, key: string): Promise<void> {
    await sql(service, 'ALTER TABLE quotes ADD CONSTRAINT refuses_everything CHECK (total_cents < 0) NOT VALID');
    try {
      expectRefusal(await service.trade(key).post('/quotes', request), 500, 'INTERNAL_ERROR');
    } finally {
      await sql(service, 'ALTER TABLE quotes DROP CONSTRAINT refuses_everything');
    }
  }

  it('has a line of JSON for every request', () => {
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

  it('names the violated constraint', () => {
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
  let lines: string[];
  let logger: Logger;

  beforeEach(() => {
    lines = [];
    logger = createLogger('warn', 'worker', { write: (line) => void lines.push(line) });
  });

  it('includes the error of an SDK message', () => {
    createTemporalLogger({ logger } as never).log('WARN', 'an activity failed', { error: new Error('disk is full'), attempt: 2 });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'an activity failed', attempt: 2, err: { type: 'Error', message: 'disk is full' } },
    ]);
  });

  it('does not warn that a worker runs activities only', () => {
    createTemporalLogger({ logger } as never).log('WARN', 'No workflows registered, not polling for workflow tasks', {});
    expect(lines).toEqual([]);
  });
});
