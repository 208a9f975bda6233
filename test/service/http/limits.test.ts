import { loadConfig } from '../../../src/config/config';
import { createDependencies } from '../../../src/processes/dependencies';
import { findFreePort } from '../../../scripts/start/ports';
import { hashKey } from '../../../src/security/api-keys';
import { startApi } from '../../../src/processes/api';
import { anAccount } from '../../support/accounts';
import { HttpClient, type Reply } from '../../support/client';
import { placeOrder } from '../../support/baskets';
import { LONG_TIMEOUTS, startService } from '../../support/service';
import { useService, useFixture } from '../../support/fixtures';
import { aTrader, anotherKey, ENDPOINTS, expectRefusal, sql } from './support';

const countStatuses = (replies: Reply[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const sendConcurrently = (count: number, send: (index: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));

function expectLimited(reply: Reply): void {
  expectRefusal(reply, 429, 'RATE_LIMITED');
  expect(reply.headers['retry-after']).toMatch(/^[1-9][0-9]?$/);
  expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
}

describe('Rate limits of the trade API', () => {
  const service = useService(() => ({ env: { TRUSTED_PROXIES: '127.0.0.0/8' }, worker: false }));
  const second = useFixture(
    async () => {
      const config = loadConfig({ ...service.env, STORAGE_PORT: String(await findFreePort()) });
      const deps = await createDependencies(config, 'second', {
        logger: service.deps.logger,
        taskQueue: service.taskQueue,
        session: LONG_TIMEOUTS,
      });
      return { deps, api: await startApi(deps) };
    },
    async ({ deps, api }) => {
      await api.close();
      await deps.close();
    },
  );
  const onSecondApi = (key: string) => new HttpClient(`http://127.0.0.1:${second.api.tradePort}/v1`, key);

  describe('Limits per key and endpoint', () => {
    // One endpoint of each budget. `test/unit/docs/specification.test.ts` compares the budgets of all endpoints with the specification.
    test.each(['POST /orders', 'POST /quotes', 'GET /orders'])(
      '%s allows its requests per minute and refuses the next with 429 and Retry-After',
      async (name) => {
        const { method, path, perMinute } = ENDPOINTS.find((one) => `${one.method} ${one.path}` === name) as (typeof ENDPOINTS)[number];
        const { trade } = await aTrader(service);
        const replies = await sendConcurrently(perMinute + 3, () => trade.send(method, path));
        expect(countStatuses(replies)[429]).toBe(3);
        for (const limited of replies.filter(({ status }) => status === 429)) expectLimited(limited);
      },
    );

    it('each endpoint has a separate limit', async () => {
      const { trade } = await aTrader(service);
      await sendConcurrently(31, () => trade.post('/orders'));
      expect((await trade.post('/orders')).status).toBe(429);
      const others = ENDPOINTS.filter(({ method, path }) => `${method} ${path}` !== 'POST /orders');
      const replies = await Promise.all(others.map(({ method, path }) => trade.send(method, path)));
      expect(countStatuses(replies)[429]).toBeUndefined();
    });

    it('paths of one endpoint share its limit', async () => {
      const { trade } = await aTrader(service);
      const replies = await sendConcurrently(121, (index) => trade.get(`/orders/ord_${index.toString(16)}`));
      expect(countStatuses(replies)).toEqual({ 404: 120, 429: 1 });
    });

    it('each key has separate limits', async () => {
      const { trade, accountId, liveKey } = await aTrader(service);
      await sendConcurrently(31, () => trade.post('/orders'));
      expect((await trade.post('/orders')).status).toBe(429);
      expect((await (await anotherKey(service, accountId)).post('/orders')).status).toBe(400);
      expect((await service.trade(liveKey).post('/orders')).status).toBe(400);
    });

    it('two API processes on one database share the budget exactly', async () => {
      const { testKey } = await anAccount(service.deps.database);
      const clients = [service.trade(testKey), onSecondApi(testKey)];
      const replies = await sendConcurrently(40, (index) => (clients[index % 2] as HttpClient).post('/orders'));
      expect(countStatuses(replies)).toEqual({ 400: 30, 429: 10 });
    });
  });

  it('RATE_LIMIT_FACTOR raises every limit, also that of failures', async () => {
    const wide = await startService({ worker: false, env: { RATE_LIMIT_FACTOR: '1.5' } });
    try {
      const trade = wide.trade(wide.account.testKey);
      const replies = await sendConcurrently(47, () => trade.post('/orders'));
      expect(countStatuses(replies)).toEqual({ 400: 45, 429: 2 });
      expect(replies.find(({ status }) => status === 429)?.json.error?.message).toContain('45 requests a minute');
      expect(countStatuses(await sendConcurrently(32, () => wide.trade('lpk_no').get('/orders')))).toEqual({ 401: 30, 429: 2 });
      expect(countStatuses(await sendConcurrently(32, () => wide.studio('lps_no').get('/orders')))).toEqual({ 401: 30, 429: 2 });
      await sql(
        wide,
        `INSERT INTO rate_windows (subject, endpoint, hits)
         SELECT 'token:' || (SELECT id FROM studio_tokens WHERE token_hash = $1), 'studio GET /settings',
                array_agg((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM generate_series(1, 899)`,
        [hashKey(wide.adminToken)],
      );
      expect(countStatuses(await sendConcurrently(3, () => wide.studio().get('/settings')))).toEqual({ 200: 1, 429: 2 });
    } finally {
      await wide.stop();
    }
  });

  describe('The rolling window', () => {
    /** Makes the admitted requests of this account look `seconds` older. */
    const ageRequests = (accountId: string, seconds: number, which = 'true') =>
      sql(
        service,
        `
      UPDATE rate_windows SET hits = ARRAY(SELECT CASE WHEN ${which} THEN hit - $2::bigint ELSE hit END FROM unnest(hits) WITH ORDINALITY AS h(hit, n) ORDER BY n)
       WHERE subject IN (SELECT 'key:' || id FROM api_keys WHERE account_id = $1)`,
        [accountId, seconds * 1000],
      );

    it('refused requests do not count: when the oldest leaves the window, exactly one is allowed', async () => {
      const { trade, accountId } = await aTrader(service);
      await sendConcurrently(60, () => trade.post('/orders'));
      await ageRequests(accountId, 61, 'n = 1');
      expect((await trade.post('/orders')).status).toBe(400);
      expectLimited(await trade.post('/orders'));
    });

    it('the full limit is available when all requests have left the window', async () => {
      const { trade, accountId } = await aTrader(service);
      await sendConcurrently(35, () => trade.post('/orders'));
      await ageRequests(accountId, 61);
      expect(countStatuses(await sendConcurrently(31, () => trade.post('/orders')))).toEqual({ 400: 30, 429: 1 });
    });

    it('Retry-After is the time until the oldest allowed request leaves the window', async () => {
      const { trade, accountId } = await aTrader(service);
      let startMs = performance.now();
      const passedSeconds = (): number => Math.ceil((performance.now() - startMs) / 1000);
      await sendConcurrently(30, () => trade.post('/orders'));
      await ageRequests(accountId, 40, 'n = 1');
      const wait = Number((await trade.post('/orders')).headers['retry-after']);
      // The oldest is 40 seconds old, plus the duration of the test so far.
      expect(wait).toBeLessThanOrEqual(20);
      expect(wait).toBeGreaterThanOrEqual(20 - passedSeconds());
      startMs = performance.now();
      await sql(
        service,
        `UPDATE rate_windows SET hits = ARRAY(SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 20000 FROM unnest(hits))
        WHERE subject IN (SELECT 'key:' || id FROM api_keys WHERE account_id = $1)`,
        [accountId],
      );
      const later = Number((await trade.post('/orders')).headers['retry-after']);
      expect(later).toBeLessThanOrEqual(40);
      expect(later).toBeGreaterThanOrEqual(40 - passedSeconds());
    });

    it('a throttled POST /orders has no effect and succeeds later with the same key', async () => {
      const { trade, accountId } = await aTrader(service);
      await sendConcurrently(30, () => trade.post('/orders'));
      expectLimited(await placeOrder(trade, 'quo_00', { 'idempotency-key': 'later' }));
      await ageRequests(accountId, 61);
      expectRefusal(await placeOrder(trade, 'quo_00', { 'idempotency-key': 'later' }), 404, 'NOT_FOUND');
    });
  });

  describe('429 before 400', () => {
    it('over the limit, an invalid body is 429', async () => {
      const { trade } = await aTrader(service);
      await sendConcurrently(60, () => trade.post('/quotes', {}));
      expectLimited(await trade.post('/quotes', 'not json'));
    });
  });

  describe('Failed authentication by source', () => {
    const sendWithWrongKey = (source: string, path = '/orders', key = 'lpk_test_wrong') =>
      service.trade(key).get(path, { 'x-forwarded-for': source });

    it('twenty failures a minute get 401, and the 21st gets 429 with Retry-After, on any route', async () => {
      const replies = await sendConcurrently(25, (index) =>
        sendWithWrongKey('192.0.2.1', ['/orders', '/catalogue', '/nothing'][index % 3]),
      );
      expect(countStatuses(replies)).toEqual({ 401: 20, 429: 5 });
      for (const limited of replies.filter(({ status }) => status === 429)) expectLimited(limited);
    });

    it('a valid key from that source still works, and other sources still get 401', async () => {
      await sendConcurrently(21, () => sendWithWrongKey('192.0.2.2'));
      expect((await sendWithWrongKey('192.0.2.2')).status).toBe(429);
      expect((await service.trade(service.account.testKey).get('/orders', { 'x-forwarded-for': '192.0.2.2' })).status).toBe(200);
      expect((await sendWithWrongKey('192.0.2.3')).status).toBe(401);
    });

    it('is shared by two API processes', async () => {
      const clients = [service.trade('lpk_wrong'), onSecondApi('lpk_wrong')];
      const replies = await sendConcurrently(30, (index) =>
        (clients[index % 2] as HttpClient).get('/orders', { 'x-forwarded-for': '192.0.2.4' }),
      );
      expect(countStatuses(replies)).toEqual({ 401: 20, 429: 10 });
    });

    it('counts the addresses of one IPv6 /64 together, and not those of the next', async () => {
      const replies = await sendConcurrently(22, (index) => sendWithWrongKey(`2001:db8:1:1::${index.toString(16)}`));
      expect(countStatuses(replies)).toEqual({ 401: 20, 429: 2 });
      expect((await sendWithWrongKey('2001:db8:1:2::1')).status).toBe(401);
    });

    it('counts ::ffff:a.b.c.d as a.b.c.d', async () => {
      await sendConcurrently(20, (index) => sendWithWrongKey(index % 2 === 0 ? '192.0.2.5' : '::ffff:192.0.2.5'));
      expect((await sendWithWrongKey('::ffff:192.0.2.5')).status).toBe(429);
      expect((await sendWithWrongKey('192.0.2.5')).status).toBe(429);
    });

    it('refused failures do not count, so the window expires', async () => {
      await sendConcurrently(40, () => sendWithWrongKey('192.0.2.6'));
      await sql(
        service,
        `UPDATE rate_windows SET hits = ARRAY(SELECT hit - 61000 FROM unnest(hits) AS hit) WHERE subject = 'source:192.0.2.6'`,
      );
      // Other keys, because a key that was just looked up is not looked up again within a second.
      const replies = await sendConcurrently(21, (index) => sendWithWrongKey('192.0.2.6', '/orders', `lpk_test_other_${index}`));
      expect(countStatuses(replies)).toEqual({ 401: 20, 429: 1 });
    });
  });
});
