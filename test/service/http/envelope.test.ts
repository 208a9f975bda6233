import { connect } from 'node:net';
import { aQuote, anOrder, placeOrder } from '../../support/baskets';
import type { Reply } from '../../support/client';
import { startService } from '../../support/service';
import { useSharedService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { aTrader, expectCommonHeaders, expectRefusal, sql } from './support';

describe('The envelope of every response', () => {
  const service = useSharedService();

  function expectSuccess(reply: Reply, status: number, keys: string[] = ['data', 'error']): void {
    expect({ status: reply.status, text: reply.text }).toMatchObject({ status });
    expect(Object.keys(reply.json)).toEqual(keys);
    expect(reply.json.error).toBeNull();
    expect(reply.json.data).not.toBeNull();
    expectCommonHeaders(reply);
  }

  it("each success has data, a null error and no-store, except for the catalogue's caching", async () => {
    const { trade } = await aTrader(service);
    const upload = await trade.post('/uploads', { filename: 'a.jpg', contentType: 'image/jpeg', sizeBytes: 1 });
    const quote = await aQuote(trade);
    const order = await placeOrder(trade, quote.quoteId);
    const { orderId } = order.json.data;
    const successes: [Reply, number, string[]?][] = [
      [upload, 201],
      [order, 201],
      [await trade.get(`/quotes/${quote.quoteId}`), 200],
      [await trade.get(`/orders/${orderId}`), 200],
      [await trade.get('/orders'), 200, ['data', 'error', 'nextCursor']],
      [await trade.post(`/orders/${orderId}/cancel`), 200],
    ];
    for (const [reply, status, keys] of successes) {
      expectSuccess(reply, status, keys);
      expect(reply.headers['cache-control']).toBe('no-store');
    }
    expectSuccess(await trade.get('/catalogue'), 200);
  });

  it('every response forbids sniffing and framing, and sends HSTS over https', async () => {
    const trusting = await startService({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1/32' } });
    try {
      const trade = trusting.trade(trusting.account.testKey);
      const plain = await trade.get('/catalogue');
      const secure = await trade.get('/nothing', { 'x-forwarded-proto': 'https' });
      for (const { headers } of [plain, secure]) {
        expect(headers['x-content-type-options']).toBe('nosniff');
        expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      }
      expect(plain.headers['strict-transport-security']).toBeUndefined();
      expect(secure.headers['strict-transport-security']).toBe('max-age=31536000');
    } finally {
      await trusting.stop();
    }
  });

  it('a 401 names the scheme that works', async () => {
    expect((await service.trade('lpk_test_none').get('/orders', { 'x-forwarded-for': '192.0.2.200' })).headers['www-authenticate']).toBe(
      'Bearer',
    );
  });

  test.each<[string, string, string]>([
    ['an unknown route', 'GET', '/nothing'],
    ['the root of the version', 'GET', ''],
    ['a path below an endpoint', 'GET', '/orders/ord_00/lines'],
    ['another version', 'GET', '/../v2/orders'],
  ])('%s is 404 NOT_FOUND in the envelope', async (_name, method, path) => {
    const { trade } = await aTrader(service);
    expectRefusal(await trade.send(method as 'GET', path, method === 'GET' ? undefined : '{}'), 404, 'NOT_FOUND');
  });

  describe('Identifiers in paths', () => {
    const malformed: [string, string][] = [
      ['another prefix', 'usr_00'],
      ['no prefix', '00'],
      ['upper-case hex', 'PREFIX_AB'],
      ['no hex', 'PREFIX_xyz'],
      ['only the prefix', 'PREFIX_'],
      ['bad percent-encoding', '%zz'],
      ['a lone percent sign', '%'],
      ['bytes that are not UTF-8', '%ff%fe'],
      ['NUL', '%00'],
      ['NUL inside', 'PREFIX_0%000'],
      ['an encoded slash', 'PREFIX_00%2F..'],
      ['a quote', "PREFIX_0'--"],
      ['a line break', 'PREFIX_00%0a'],
      ['65 characters', `PREFIX_${'0'.repeat(61)}`],
      ['10 kB', 'a'.repeat(10_000)],
      ['10 kB of hex', `PREFIX_${'0'.repeat(10_000)}`],
      ['an emoji', '%F0%9F%96%BC'],
      ['__proto__', '__proto__'],
      ['unknown', `PREFIX_${'0'.repeat(32)}`],
    ];
    test.each(malformed)('%s is 404 on all three endpoints', async (_name, id) => {
      const { trade } = await aTrader(service);
      expectRefusal(await trade.get(`/orders/${id.replace('PREFIX', 'ord')}`), 404, 'NOT_FOUND');
      expectRefusal(await trade.post(`/orders/${id.replace('PREFIX', 'ord')}/cancel`), 404, 'NOT_FOUND');
      expectRefusal(await trade.get(`/quotes/${id.replace('PREFIX', 'quo')}`), 404, 'NOT_FOUND');
    });

    it('the id of a quote is not found as an order, and the reverse', async () => {
      const { trade } = await aTrader(service);
      const order = await anOrder(trade);
      expectRefusal(await trade.get(`/orders/${order.quoteId}`), 404, 'NOT_FOUND');
      expectRefusal(await trade.get(`/quotes/${order.orderId}`), 404, 'NOT_FOUND');
    });
  });

  describe('Service-Request-Id', () => {
    test.each(['a', 'abc-123', '01J.x_y', 'x'.repeat(64)])('a valid one is kept: %s', async (id) => {
      expect((await service.trade().get('/orders', { 'service-request-id': id })).headers['service-request-id']).toBe(id);
    });

    test.each(['', ' ', 'two words', 'x'.repeat(65), '-x', 'a,b', 'a"b', '{"$ne":1}', '<script>'])(
      'an invalid one is replaced: %s',
      async (id) => {
        expect((await service.trade().get('/orders', { 'service-request-id': id })).headers['service-request-id']).toMatch(
          /^req_[0-9a-f]{32}$/,
        );
      },
    );

    it('each response without one gets its own', async () => {
      const ids = (await Promise.all([1, 2, 3].map(() => service.trade(service.account.testKey).get('/orders')))).map(
        ({ headers }) => headers['service-request-id'],
      );
      expect(new Set(ids).size).toBe(3);
    });

    it('is in the log lines of its request', async () => {
      await service.trade(service.account.testKey).get('/orders', { 'service-request-id': 'find-me-in-the-log' });
      const lines = service.logLines.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === 'find-me-in-the-log');
      expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', method: 'GET', route: 'GET /orders', status: 200 }));
    });

    it("is in the memo of the order's workflow", async () => {
      const { trade } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const { orderId } = (await placeOrder(trade, quoteId, { 'idempotency-key': 'memo', 'service-request-id': 'memo-1' })).json.data;
      const handle = service.deps.temporal.client.workflow.getHandle(`order/${orderId}`);
      const started = await waitFor('the start of its workflow', () => handle.describe().catch(() => null)); // it starts after the response
      expect(started.memo).toMatchObject({ requestId: 'memo-1' });
    });
  });

  describe('INTERNAL_ERROR', () => {
    it('is 500 in the envelope with the request id and no internal details', async () => {
      const broken = await startService({ worker: false });
      try {
        await sql(broken, 'ALTER TABLE quotes RENAME TO quotes_gone');
        const reply = await broken
          .trade(broken.account.testKey)
          .get(`/quotes/quo_${'0'.repeat(32)}`, { 'service-request-id': 'five-hundred' });
        expectRefusal(reply, 500, 'INTERNAL_ERROR');
        expect(reply.json.error?.message).toContain('five-hundred');
        expect(reply.text).not.toMatch(/quotes_gone|relation|postgres|select|stack|\.ts/i);
        const logged = broken.logLines
          .map((line) => JSON.parse(line))
          .find(({ requestId, msg }) => requestId === 'five-hundred' && msg === 'internal error');
        expect(logged.err.message).toContain('quotes');
      } finally {
        await broken.stop();
      }
    });
  });

  describe('Odd requests', () => {
    test.each(['a b', '::', '@', '%zz', 'x'.repeat(300), 'example.com:99999'])('an invalid Host header is ignored: %s', async (host) => {
      const { trade } = await aTrader(service);
      expect((await trade.get('/orders?limit=1', { host })).status).toBe(200);
    });

    it('a path that looks like another host is ignored', async () => {
      const { trade } = await aTrader(service);
      expectRefusal(await trade.get('//evil.example/orders'), 404, 'NOT_FOUND');
    });

    /** Sends bytes that no HTTP client would send. Returns the whole reply. */
    const sendRaw = (text: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(service.api.tradePort, '127.0.0.1', () => socket.write(text));
        const chunks: Buffer[] = [];
        socket.on('data', (chunk) => chunks.push(chunk));
        socket.once('error', reject);
        socket.once('end', () => {
          socket.destroy();
          resolve(Buffer.concat(chunks).toString());
        });
      });

    test.each<[string, string]>([
      ['no HTTP at all', 'hello\r\n\r\n'],
      ['an invalid header', 'GET /v1/orders HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n'],
      ['NUL in a header', 'GET /v1/orders HTTP/1.1\r\nHost: x\r\nIdempotency-Key: a\0b\r\n\r\n'],
      ['headers of 40 kB', `GET /v1/orders HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`],
    ])('%s is refused with the envelope and a request id, and the service continues', async (_name, text) => {
      const answer = await sendRaw(text);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expect(head).toMatch(/^service-request-id: req_[0-9a-f]{32}$/im);
      expect(head).toMatch(/^cache-control: no-store$/im);
      expect(JSON.parse(body)).toEqual({
        data: null,
        error: {
          code: 'VALIDATION_ERROR',
          message: expect.any(String),
          details: { paths: [''], issues: [{ path: '', message: expect.any(String) }] },
        },
      });
      expect((await service.trade(service.account.testKey).get('/orders')).status).toBe(200);
    });

    test.each<[string, string]>([
      ['no Host header', ''],
      ['a Host header that is invalid in a URL', 'Host: [\r\n'],
      ['an unknown Expect header', 'Host: x\r\nExpect: the-unexpected\r\n'],
      ['an Upgrade header', 'Host: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n'],
    ])('%s is ignored', async (_name, headers) => {
      const answer = await sendRaw(
        `GET /v1/orders HTTP/1.1\r\n${headers}Authorization: Bearer ${service.account.testKey}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toContain('"error":null');
    });

    it('a repeated unknown query parameter is ignored', async () => {
      const { trade } = await aTrader(service);
      expect((await trade.get('/orders?x=1&x=2&__proto__=3')).status).toBe(200);
    });
  });
});
