import { ENDPOINTS as SERVED } from '../../../src/http/trade/endpoints';
import { newApiKey } from '../../../src/security/api-keys';
import { aKey, anAccount } from '../../support/accounts';
import { HttpClient, type Reply } from '../../support/client';
import { aQuote, anOrder } from '../../support/baskets';
import { useService } from '../../support/fixtures';
import { aTrader, anotherKey, ENDPOINTS, expectRefusal, scopesWithout, sql } from './support';

/** Everything that a client can compare in two responses. */
const comparableReply = ({ status, text, headers }: Reply) => {
  const { date: _date, 'service-request-id': _id, ...rest } = headers;
  return { status, text, headers: rest };
};

describe('Authentication of the trade API', () => {
  // Each request may have another source, so the limit of failures does not apply.
  const service = useService(() => ({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } }));
  let nextSource = 1;

  const newSourceHeaders = (headers: Record<string, string> = {}) => {
    nextSource += 1;
    return { 'x-forwarded-for': `10.${nextSource >> 16}.${(nextSource >> 8) & 255}.${nextSource & 255}`, ...headers };
  };
  const clientWithoutKey = () => new HttpClient(`http://127.0.0.1:${service.api.tradePort}/v1`);

  async function badCredentials(): Promise<Record<string, string | null>> {
    const { database } = service.deps;
    const { accountId, testKey } = await anAccount(database);
    const suspended = await anAccount(database);
    await sql(service, `UPDATE accounts SET status = 'suspended' WHERE id = $1`, [suspended.accountId]);
    const withdrawn = await anAccount(database);
    await sql(service, 'UPDATE accounts SET api_access = false WHERE id = $1', [withdrawn.accountId]);
    return {
      'no header': null,
      'an empty header': '',
      'only the scheme': 'Bearer',
      'another scheme': `Basic ${testKey}`,
      'only the key': testKey,
      'no space': `Bearer${testKey}`,
      'a short key': 'Bearer lpk_test_00',
      'a studio token': `Bearer ${service.adminToken}`,
      'an unknown key': `Bearer ${newApiKey('test')}`,
      'the key in upper case': `Bearer ${testKey.toUpperCase()}`,
      'the key with another prefix': `Bearer ${testKey.replace('test', 'live')}`,
      'the key with an additional character': `Bearer ${testKey}0`,
      'the key without its last character': `Bearer ${testKey.slice(0, -1)}`,
      'two keys': `Bearer ${testKey} ${testKey}`,
      'two keys with a comma': `Bearer ${testKey}, Bearer ${testKey}`,
      'ten kilobytes': `Bearer ${'a'.repeat(10_000)}`,
      'a revoked key': `Bearer ${await aKey(database, accountId, { revoked: true })}`,
      'an expired key': `Bearer ${await aKey(database, accountId, { expiresAt: new Date(Date.now() - 1000) })}`,
      'a key of a suspended account': `Bearer ${suspended.testKey}`,
      'a live key of a suspended account': `Bearer ${suspended.liveKey}`,
      'a key of an account without API access': `Bearer ${withdrawn.testKey}`,
    };
  }

  it('the table of endpoints is complete', () => {
    const withoutIds = (path: string) => path.replace(/:\w+|[a-z]{3}_00|\b0\b/g, 'x');
    const rowsOf = (endpoints: readonly { method: string; path: string; scope: string }[]) =>
      endpoints.map(({ method, path, scope }) => `${method} ${withoutIds(path)} ${scope}`).toSorted();
    expect(rowsOf(ENDPOINTS)).toEqual(rowsOf(SERVED));
  });

  it('every cause gives the same 401, byte for byte, on every endpoint and on unknown routes', async () => {
    const credentials = await badCredentials();
    const routes = [...ENDPOINTS, { method: 'GET', path: '/nothing/here' } as const, { method: 'DELETE', path: '/orders' } as const];
    const answers: { cause: string; route: string; answer: ReturnType<typeof comparableReply> }[] = [];
    for (const { method, path } of routes) {
      for (const [cause, authorization] of Object.entries(credentials)) {
        const headers = newSourceHeaders({ 'service-request-id': 'same', ...(authorization === null ? {} : { authorization }) });
        const reply = await clientWithoutKey().send(method, path, method === 'POST' ? '{"not json' : undefined, headers);
        expect(reply.headers['service-request-id']).toBe('same');
        answers.push({ cause, route: `${method} ${path}`, answer: comparableReply(reply) });
      }
    }
    const [first] = answers;
    expect(first?.answer).toMatchObject({ status: 401 });
    expect(answers.filter(({ answer }) => JSON.stringify(answer) !== JSON.stringify(first?.answer))).toEqual([]);
    expect(answers).toHaveLength(routes.length * Object.keys(credentials).length);
  });

  it('the 401 has the envelope, no details and no cause', async () => {
    const reply = await clientWithoutKey().get('/orders', newSourceHeaders());
    expectRefusal(reply, 401, 'UNAUTHORIZED');
    expect(reply.text).not.toMatch(/revoked|expired|suspended|unknown/i);
  });

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme %s is accepted', async (scheme) => {
    expect((await clientWithoutKey().get('/orders', { authorization: `${scheme} ${service.account.testKey}` })).status).toBe(200);
  });

  it('a key that expires in the future works', async () => {
    const client = await anotherKey(service, service.account.accountId, { expiresAt: new Date(Date.now() + 60_000) });
    expect((await client.get('/orders')).status).toBe(200);
  });

  describe('Every request is checked against the current rows', () => {
    test.each<[string, string, string]>([
      [
        'suspending the account',
        `UPDATE accounts SET status = 'suspended' WHERE id = $1`,
        `UPDATE accounts SET status = 'active' WHERE id = $1`,
      ],
      [
        'withdrawing API access',
        'UPDATE accounts SET api_access = false WHERE id = $1',
        'UPDATE accounts SET api_access = true WHERE id = $1',
      ],
      [
        'revoking its keys',
        'UPDATE api_keys SET revoked_at = now() WHERE account_id = $1',
        'UPDATE api_keys SET revoked_at = NULL WHERE account_id = $1',
      ],
      [
        'letting its keys expire',
        'UPDATE api_keys SET expires_at = now() WHERE account_id = $1',
        'UPDATE api_keys SET expires_at = NULL WHERE account_id = $1',
      ],
    ])('%s makes the next request of all its keys 401, and undoing it restores access', async (_name, spoil, mend) => {
      const { accountId, testKey, liveKey } = await anAccount(service.deps.database);
      const ask = async () =>
        Promise.all([testKey, liveKey].map(async (key) => (await service.trade(key).get('/catalogue', newSourceHeaders())).status));
      expect(await ask()).toEqual([200, 200]);
      await sql(service, spoil, [accountId]);
      expect(await ask()).toEqual([401, 401]);
      await sql(service, mend, [accountId]);
      expect(await ask()).toEqual([200, 200]);
    });

    it('the environment comes from the stored row, not from the prefix', async () => {
      const { accountId, testKey } = await anAccount(service.deps.database);
      await sql(service, `UPDATE api_keys SET environment = 'live' WHERE account_id = $1`, [accountId]);
      const quote = await aQuote(service.trade(testKey));
      expect(quote.environment).toBe('live');
    });

    it('only a hash of the key is stored', async () => {
      const stored = await sql<{ row: string }>(service, 'SELECT to_jsonb(k)::text AS row FROM api_keys k WHERE account_id = $1', [
        service.account.accountId,
      ]);
      for (const { row } of stored) {
        expect(row).not.toContain(service.account.testKey.slice(9));
        expect(row).not.toContain(service.account.liveKey.slice(9));
      }
    });
  });

  describe('Scopes', () => {
    test.each(ENDPOINTS)('$method $path needs $scope: 403 without it, also with a body that is wrong', async ({ method, path, scope }) => {
      const { accountId } = await anAccount(service.deps.database);
      const client = await anotherKey(service, accountId, { scopes: scopesWithout(scope) });
      expectRefusal(await client.send(method, path, method === 'POST' ? '{"not json' : undefined), 403, 'FORBIDDEN');
      const none = await anotherKey(service, accountId, { scopes: [] });
      expectRefusal(await none.send(method, path, undefined), 403, 'FORBIDDEN');
    });

    test.each(ENDPOINTS)('$method $path is allowed with only $scope', async ({ method, path, scope }) => {
      const { accountId } = await anAccount(service.deps.database);
      const client = await anotherKey(service, accountId, { scopes: [scope] });
      expect([200, 400, 404]).toContain((await client.send(method, path)).status);
    });

    it('an unknown route is 404 before scopes are checked', async () => {
      const { accountId } = await anAccount(service.deps.database);
      expectRefusal(await (await anotherKey(service, accountId, { scopes: [] })).get('/nothing'), 404, 'NOT_FOUND');
    });

    it('403 comes before 429, and does not count', async () => {
      const { accountId } = await anAccount(service.deps.database);
      const client = await anotherKey(service, accountId, { scopes: ['price:read'] });
      const replies = await Promise.all(Array.from({ length: 35 }, () => client.post('/orders')));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([403]));
    });
  });

  describe('Other accounts and environments', () => {
    it('quotes and orders of another account are 404, not 403, on every endpoint that names them', async () => {
      const [mine, theirs] = [await aTrader(service), await aTrader(service)];
      const order = await anOrder(theirs.trade);
      const quote = await aQuote(theirs.trade);
      expectRefusal(await mine.trade.get(`/orders/${order.orderId}`), 404, 'NOT_FOUND');
      expectRefusal(await mine.trade.post(`/orders/${order.orderId}/cancel`), 404, 'NOT_FOUND');
      expectRefusal(await mine.trade.get(`/quotes/${quote.quoteId}`), 404, 'NOT_FOUND');
      expectRefusal(await mine.trade.post('/orders', { quoteId: quote.quoteId }, { 'idempotency-key': 'mine' }), 404, 'NOT_FOUND');
      expectRefusal(await mine.trade.post('/orders', { quoteId: order.quoteId }, { 'idempotency-key': 'mine' }), 404, 'NOT_FOUND');
      expect((await theirs.trade.get(`/orders/${order.orderId}`)).json.data.status).toBe('received');
    });

    it('quotes and orders of the other environment are 404 to read and to cancel', async () => {
      const { trade, liveKey } = await aTrader(service);
      const live = service.trade(liveKey);
      const [testOrder, liveOrder] = [await anOrder(trade), await anOrder(live)];
      for (const [client, order] of [
        [trade, liveOrder],
        [live, testOrder],
      ] as const) {
        expectRefusal(await client.get(`/orders/${order.orderId}`), 404, 'NOT_FOUND');
        expectRefusal(await client.post(`/orders/${order.orderId}/cancel`), 404, 'NOT_FOUND');
        expectRefusal(await client.get(`/quotes/${order.quoteId}`), 404, 'NOT_FOUND');
        expect((await client.get('/orders')).json.data.map(({ orderId }: { orderId: string }) => orderId)).not.toContain(order.orderId);
      }
    });

    it("a 404 for another account's order and for an unknown order are the same", async () => {
      const [mine, theirs] = [await aTrader(service), await aTrader(service)];
      const order = await anOrder(theirs.trade);
      const headers = { 'service-request-id': 'same' };
      expect(comparableReply(await mine.trade.get(`/orders/${order.orderId}`, headers))).toEqual(
        comparableReply(await mine.trade.get('/orders/ord_00', headers)),
      );
    });
  });
});
