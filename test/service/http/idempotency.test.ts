import { request } from 'undici';
import { anIdempotencyKeyHeader, anOrder, aQuote, placeOrder } from '../../support/baskets';
import { holdLock } from '../../support/held-lock';
import { useSharedService } from '../../support/fixtures';
import { anotherKey, aTrader, copyQuoteAs, expectValidationPaths, expectRefusal, countRows, sql, waitForLockWaiters } from './support';
import { Client } from 'pg';
import { keyLockSql } from '../../../src/db/repositories/idempotency';
import { newId } from '../../../src/security/ids';

describe('Idempotency-Key of POST /orders', () => {
  const service = useSharedService();

  const readRecord = async (accountId: string) =>
    (await sql(service, 'SELECT * FROM idempotency_records WHERE account_id = $1', [accountId]))[0];

  describe('Validation', () => {
    test.each<[string, Record<string, string>]>([
      ['missing', {}],
      ['empty', { 'idempotency-key': '' }],
      ['blank', { 'idempotency-key': '   ' }],
    ])('a %s key returns 400 IDEMPOTENCY_KEY_REQUIRED before the body is checked', async (_name, headers) => {
      const { trade, accountId } = await aTrader(service);
      expectRefusal(await trade.post('/orders', { quoteId: 7 }, headers), 400, 'IDEMPOTENCY_KEY_REQUIRED');
      expectRefusal(await trade.post('/orders', 'no json', headers), 400, 'IDEMPOTENCY_KEY_REQUIRED');
      expect(await countRows(service, accountId)).toMatchObject({ idempotency_records: 0 });
    });

    it('accepts 255 characters and refuses 256 at headers.idempotency-key', async () => {
      const { trade } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      expectValidationPaths(await placeOrder(trade, quoteId, { 'idempotency-key': 'k'.repeat(256) }), ['headers.idempotency-key']);
      expect((await placeOrder(trade, quoteId, { 'idempotency-key': 'k'.repeat(255) })).status).toBe(201);
    });

    it('counts code points, keeps every byte and trims no more than HTTP does', async () => {
      const { trade, accountId } = await aTrader(service);
      const bytes = (text: string) => Buffer.from(text).toString('latin1');
      expectValidationPaths(await placeOrder(trade, (await aQuote(trade)).quoteId, { 'idempotency-key': bytes('🖼'.repeat(256)) }), [
        'headers.idempotency-key',
      ]);
      const keys = [bytes('🖼'.repeat(255)), 'k', '\u00a0k', 'k\u00a0', '\u00e9', bytes('é')];
      const placed = await Promise.all(
        keys.map(async (key) => placeOrder(trade, (await aQuote(trade)).quoteId, { 'idempotency-key': key })),
      );
      expect(placed.map(({ status, headers }) => [status, headers['idempotent-replayed']])).toEqual(keys.map(() => [201, undefined]));
      expect(await countRows(service, accountId)).toMatchObject({ orders: keys.length, idempotency_records: keys.length });
    });

    it('sent twice is VALIDATION_ERROR at the header, even if both are the same', async () => {
      const { trade, accountId, testKey } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const reply = await request(`${trade.baseUrl}/orders`, {
        method: 'POST',
        body: JSON.stringify({ quoteId }),
        headers: ['authorization', `Bearer ${testKey}`, 'content-type', 'application/json', 'Idempotency-Key', 'a', 'idempotency-key', 'a'],
      });
      expect([reply.statusCode, ((await reply.body.json()) as any).error.details.paths]).toEqual([400, ['headers.idempotency-key']]);
      expect(await countRows(service, accountId)).toMatchObject({ orders: 0 });
    });

    it('reports only the header if the body is invalid too', async () => {
      const { trade } = await aTrader(service);
      expectValidationPaths(await trade.post('/orders', {}, { 'idempotency-key': 'k'.repeat(256) }), ['headers.idempotency-key']);
    });
  });

  describe('Replay', () => {
    it('the same key and body returns the same bytes with 201 and Idempotent-Replayed', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      const first = await placeOrder(trade, quoteId, header);
      const again = await placeOrder(trade, quoteId, header);
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.text).toBe(first.text);
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(await countRows(service, accountId)).toMatchObject({ orders: 1, invoices: 1, order_events: 1, idempotency_records: 1 });
    });

    it('returns the first bytes also after the order was cancelled', async () => {
      const { trade } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      const first = await placeOrder(trade, quoteId, header);
      const { orderId } = first.json.data;
      expect((await trade.post(`/orders/${orderId}/cancel`)).json.data.status).toBe('cancelled');
      const again = await placeOrder(trade, quoteId, header);
      expect(again.text).toBe(first.text);
      expect(again.status).toBe(201);
      expect((await trade.get(`/orders/${orderId}`)).json.data.status).toBe('cancelled');
    });

    it('works with another key of the account', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      const first = await placeOrder(trade, quoteId, header);
      const other = await anotherKey(service, accountId);
      const again = await placeOrder(other, quoteId, header);
      expect([again.status, again.text]).toEqual([201, first.text]);
    });

    it('does not work for a suspended account: 401', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      await placeOrder(trade, quoteId, header);
      await sql(service, `UPDATE accounts SET status = 'suspended' WHERE id = $1`, [accountId]);
      expectRefusal(await placeOrder(trade, quoteId, header), 401, 'UNAUTHORIZED');
      await sql(service, `UPDATE accounts SET status = 'active' WHERE id = $1`, [accountId]);
      expect((await placeOrder(trade, quoteId, header)).headers['idempotent-replayed']).toBe('true');
    });

    it('needs the scope: a key without orders:write gets 403', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      await placeOrder(trade, quoteId, header);
      const reader = await anotherKey(service, accountId, { scopes: ['orders:read', 'price:read'] });
      expectRefusal(await placeOrder(reader, quoteId, header), 403, 'FORBIDDEN');
    });

    it('another account can use the same key text for a separate order', async () => {
      const [one, two] = [await aTrader(service), await aTrader(service)];
      const header = anIdempotencyKeyHeader();
      const first = await placeOrder(one.trade, (await aQuote(one.trade)).quoteId, header);
      const second = await placeOrder(two.trade, (await aQuote(two.trade)).quoteId, header);
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.headers['idempotent-replayed']).toBeUndefined();
      expect(second.json.data.orderId).not.toBe(first.json.data.orderId);
    });
  });

  describe('Canonical comparison', () => {
    const bodies: [string, (quoteId: string) => string, (quoteId: string) => string, 'replays' | 'is a reuse'][] = [
      [
        'keys in another order',
        (q) => `{"quoteId":"${q}","specialInstructions":"x"}`,
        (q) => `{"specialInstructions":"x","quoteId":"${q}"}`,
        'replays',
      ],
      ['other white space', (q) => `{"quoteId":"${q}"}`, (q) => ` {\n "quoteId" :\t"${q}" } `, 'replays'],
      [
        'other escapes of the same text',
        (q) => `{"quoteId":"${q}","specialInstructions":"é"}`,
        (q) => `{"quoteId":"${q}","specialInstructions":"\\u00e9"}`,
        'replays',
      ],
      ['another spelling of the same number', (q) => `{"quoteId":"${q}","n":10}`, (q) => `{"quoteId":"${q}","n":1e1}`, 'is a reuse'],
      [
        'a number that a double would round to the same',
        (q) => `{"quoteId":"${q}","n":9007199254740993}`,
        (q) => `{"quoteId":"${q}","n":9007199254740992}`,
        'is a reuse',
      ],
      [
        'the text of a number instead of the number',
        (q) => `{"quoteId":"${q}","n":10}`,
        (q) => `{"quoteId":"${q}","n":"10"}`,
        'is a reuse',
      ],
      [
        'the same numbers in another order of keys',
        (q) => `{"quoteId":"${q}","n":[1.50,-2e-3],"m":0}`,
        (q) => `{"m":0,"n":[1.50,-2e-3],"quoteId":"${q}"}`,
        'replays',
      ],
      [
        'digits inside of texts',
        (q) => `{"quoteId":"${q}","specialInstructions":"1.0 \\" 2"}`,
        (q) => `{"specialInstructions":"1.0 \\u0022 2","quoteId":"${q}"}`,
        'replays',
      ],
      [
        'nested keys in another order',
        (q) => `{"quoteId":"${q}","x":[{"a":1,"b":{"c":2,"d":3}}]}`,
        (q) => `{"x":[{"b":{"d":3,"c":2},"a":1}],"quoteId":"${q}"}`,
        'replays',
      ],
      [
        'numeric-looking keys in another order',
        (q) => `{"quoteId":"${q}","10":1,"9":2}`,
        (q) => `{"9":2,"quoteId":"${q}","10":1}`,
        'replays',
      ],
      ['null instead of absent', (q) => `{"quoteId":"${q}"}`, (q) => `{"quoteId":"${q}","specialInstructions":null}`, 'is a reuse'],
      ['an additional unknown field', (q) => `{"quoteId":"${q}"}`, (q) => `{"quoteId":"${q}","unknown":1}`, 'is a reuse'],
      ['an unknown field changed', (q) => `{"quoteId":"${q}","unknown":1}`, (q) => `{"quoteId":"${q}","unknown":"1"}`, 'is a reuse'],
      ['another array order', (q) => `{"quoteId":"${q}","x":[1,2]}`, (q) => `{"quoteId":"${q}","x":[2,1]}`, 'is a reuse'],
      [
        '"" instead of null',
        (q) => `{"quoteId":"${q}","specialInstructions":null}`,
        (q) => `{"quoteId":"${q}","specialInstructions":""}`,
        'is a reuse',
      ],
      [
        'other instructions',
        (q) => `{"quoteId":"${q}","specialInstructions":"a"}`,
        (q) => `{"quoteId":"${q}","specialInstructions":"a "}`,
        'is a reuse',
      ],
      ['an additional own __proto__ field', (q) => `{"quoteId":"${q}"}`, (q) => `{"quoteId":"${q}","__proto__":{"x":1}}`, 'is a reuse'],
      ['another quote', (q) => `{"quoteId":"${q}"}`, () => `{"quoteId":"${newId('quo')}"}`, 'is a reuse'],
    ];
    test.each(bodies.map(([name, first, second, outcome]) => [name, outcome, first, second] as const))(
      '%s: %s',
      async (_name, outcome, first, second) => {
        const { trade, accountId } = await aTrader(service);
        const { quoteId } = await aQuote(trade);
        const header = anIdempotencyKeyHeader();
        const placed = await trade.post('/orders', first(quoteId), header);
        expect(placed.status).toBe(201);
        const again = await trade.post('/orders', second(quoteId), header);
        if (outcome === 'replays') expect([again.status, again.text]).toEqual([201, placed.text]);
        else expectRefusal(again, 409, 'IDEMPOTENCY_KEY_REUSED');
        expect(again.headers['retry-after']).toBeUndefined();
        expect(await countRows(service, accountId)).toMatchObject({ orders: 1, idempotency_records: 1 });
      },
    );

    it('the same body with a key of the other environment is a reuse and never replays across', async () => {
      const { trade, liveKey } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      expect((await placeOrder(trade, quoteId, header)).status).toBe(201);
      expectRefusal(await placeOrder(service.trade(liveKey), quoteId, header), 409, 'IDEMPOTENCY_KEY_REUSED');
    });

    it('a schema issue is reported before the reuse, and does not change the record', async () => {
      const { trade } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      const first = await placeOrder(trade, quoteId, header);
      expectValidationPaths(await trade.post('/orders', { quoteId: '' }, header), ['quoteId']);
      expect((await placeOrder(trade, quoteId, header)).text).toBe(first.text);
    });
  });

  describe('In flight', () => {
    /** Runs `during` while the first submission is blocked, then releases it. */
    async function whileRunning(
      table: 'accounts' | 'quotes',
      during: (
        send: typeof placeOrder,
        trader: Awaited<ReturnType<typeof aTrader>>,
        quoteId: string,
        header: Record<string, string>,
      ) => Promise<void>,
    ) {
      const trader = await aTrader(service);
      const { quoteId } = await aQuote(trader.trade);
      const header = anIdempotencyKeyHeader();
      const lock = await holdLock(service.deps.database, `SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [
        table === 'quotes' ? quoteId : trader.accountId,
      ]);
      const first = placeOrder(trader.trade, quoteId, header);
      try {
        await waitForLockWaiters(service);
        await during(placeOrder, trader, quoteId, header);
      } finally {
        await lock.release();
      }
      expect((await first).status).toBe(201);
      return { ...trader, quoteId, header, first: await first };
    }

    test.each(['accounts', 'quotes'] as const)(
      'the same key while running returns 409 with Retry-After at once (held at %s)',
      async (table) => {
        const done = await whileRunning(table, async (send, { trade }, quoteId, header) => {
          const second = await send(trade, quoteId, header);
          expectRefusal(second, 409, 'IDEMPOTENCY_KEY_REUSED');
          expect(second.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
        });
        expect((await placeOrder(done.trade, done.quoteId, done.header)).text).toBe(done.first.text);
        expect(await countRows(service, done.accountId)).toMatchObject({ orders: 1, invoices: 1, order_events: 1 });
      },
    );

    it('another body with the same key while running gets 409 with Retry-After too', async () => {
      await whileRunning('accounts', async (send, { trade }, quoteId, header) => {
        const second = await send(trade, quoteId, header, { specialInstructions: 'other' });
        expectRefusal(second, 409, 'IDEMPOTENCY_KEY_REUSED');
        expect(second.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      });
    });

    it('the same key from the other environment while running gets 409 with Retry-After too', async () => {
      await whileRunning('accounts', async (send, { liveKey }, quoteId, header) => {
        const second = await send(service.trade(liveKey), quoteId, header);
        expectRefusal(second, 409, 'IDEMPOTENCY_KEY_REUSED');
        expect(second.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      });
    });

    it('another key of the account waits for the running request and is then executed', async () => {
      const { trade, quoteId, accountId } = await whileRunning('accounts', async () => undefined);
      const copy = newId('quo');
      await copyQuoteAs(service, quoteId, copy);
      expect((await placeOrder(trade, copy)).status).toBe(201);
      expect(await countRows(service, accountId)).toMatchObject({ orders: 2, idempotency_records: 2 });
    });

    it('uploads and quotes of the account are not delayed while an order is being placed', async () => {
      await whileRunning('quotes', async (_send, { trade }) => {
        expect((await aQuote(trade)).quoteId).toMatch(/^quo_/);
      });
    });
  });

  describe('Release', () => {
    const failures: [
      string,
      number,
      string,
      (quoteId: string, accountId: string) => Promise<void>,
      (quoteId: string, accountId: string) => Promise<void>,
    ][] = [
      [
        'QUOTE_EXPIRED',
        409,
        'QUOTE_EXPIRED',
        async (quoteId) => void (await sql(service, `UPDATE quotes SET expires_at = now() - interval '1 second' WHERE id = $1`, [quoteId])),
        async (quoteId) => void (await sql(service, `UPDATE quotes SET expires_at = now() + interval '1 hour' WHERE id = $1`, [quoteId])),
      ],
      [
        'QUOTE_ALREADY_ORDERED',
        409,
        'QUOTE_ALREADY_ORDERED',
        async (quoteId) => void (await sql(service, `UPDATE quotes SET consumed_at = now() WHERE id = $1`, [quoteId])),
        async (quoteId) => void (await sql(service, `UPDATE quotes SET consumed_at = NULL WHERE id = $1`, [quoteId])),
      ],
      [
        'QUOTE_ENVIRONMENT_MISMATCH',
        400,
        'QUOTE_ENVIRONMENT_MISMATCH',
        async (quoteId) => void (await sql(service, `UPDATE quotes SET environment = 'live' WHERE id = $1`, [quoteId])),
        async (quoteId) => void (await sql(service, `UPDATE quotes SET environment = 'test' WHERE id = $1`, [quoteId])),
      ],
      [
        'CREDIT_LIMIT_EXCEEDED',
        402,
        'CREDIT_LIMIT_EXCEEDED',
        async (_quoteId, accountId) => void (await sql(service, `UPDATE accounts SET credit_limit_cents = 0 WHERE id = $1`, [accountId])),
        async (_quoteId, accountId) =>
          void (await sql(service, `UPDATE accounts SET credit_limit_cents = NULL WHERE id = $1`, [accountId])),
      ],
    ];
    test.each(failures)('after %s the key is free and the same request succeeds', async (_name, status, code, spoil, mend) => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      await spoil(quoteId, accountId);
      const refused = await placeOrder(trade, quoteId, header);
      expect([refused.status, refused.json.error?.code]).toEqual([status, code]);
      expect(await countRows(service, accountId)).toMatchObject({ orders: 0, invoices: 0, order_events: 0, idempotency_records: 0 });
      await mend(quoteId, accountId);
      const placed = await placeOrder(trade, quoteId, header);
      expect([placed.status, placed.headers['idempotent-replayed']]).toEqual([201, undefined]);
    });

    it('after NOT_FOUND the key is free for another body', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      expectRefusal(await placeOrder(trade, newId('quo'), header), 404, 'NOT_FOUND');
      expect(await countRows(service, accountId)).toMatchObject({ idempotency_records: 0 });
      expect((await placeOrder(trade, quoteId, header)).status).toBe(201);
    });

    it('after VALIDATION_ERROR the key was never taken', async () => {
      const { trade, accountId } = await aTrader(service);
      expectValidationPaths(await trade.post('/orders', { quoteId: null }, anIdempotencyKeyHeader()), ['quoteId']);
      expect(await countRows(service, accountId)).toMatchObject({ idempotency_records: 0 });
    });

    it('a request over the rate limit does not use the key', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      await Promise.all(Array.from({ length: 30 }, () => trade.post('/orders')));
      expect((await placeOrder(trade, quoteId, header)).status).toBe(429);
      expect(await countRows(service, accountId)).toMatchObject({ idempotency_records: 0 });
      const other = await anotherKey(service, accountId);
      const placed = await placeOrder(other, quoteId, header);
      expect([placed.status, placed.headers['idempotent-replayed']]).toEqual([201, undefined]);
    });
  });

  describe('Lifetime', () => {
    it('a record is kept for 24 hours', async () => {
      const { trade, accountId } = await aTrader(service);
      await anOrder(trade);
      const { created_at, expires_at } = (await readRecord(accountId)) as Record<'created_at' | 'expires_at', Date>;
      expect(expires_at.getTime() - created_at.getTime()).toBe(24 * 60 * 60 * 1000);
    });

    it('a used key replays until its lifetime ends and is free afterwards', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const next = newId('quo');
      await copyQuoteAs(service, quoteId, next);
      const header = anIdempotencyKeyHeader();
      const first = await placeOrder(trade, quoteId, header);
      await sql(service, `UPDATE idempotency_records SET expires_at = now() + interval '1 minute' WHERE account_id = $1`, [accountId]);
      expect((await placeOrder(trade, quoteId, header)).text).toBe(first.text);
      await sql(service, `UPDATE idempotency_records SET expires_at = now() - interval '1 second' WHERE account_id = $1`, [accountId]);
      const second = await placeOrder(trade, next, header);
      expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, undefined]);
      expect((await placeOrder(trade, next, header)).text).toBe(second.text);
    });

    it('an expired key with the same body is checked again: the quote is already ordered', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      const { orderId } = (await placeOrder(trade, quoteId, header)).json.data;
      await sql(service, `UPDATE idempotency_records SET expires_at = now() - interval '1 second' WHERE account_id = $1`, [accountId]);
      expectRefusal(await placeOrder(trade, quoteId, header), 409, 'QUOTE_ALREADY_ORDERED', { orderId });
    });
  });

  describe('A process that is killed during a request', () => {
    it('holds its key exactly as long as its connection', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      const other = new Client({ connectionString: service.deps.config.databaseUrl });
      other.on('error', () => undefined);
      await other.connect();
      try {
        await other.query('BEGIN');
        expect((await other.query(keyLockSql({ accountId, idempotencyKey: header['idempotency-key'] ?? '' }))).rows).toEqual([
          { taken: true },
        ]);
        const early = await placeOrder(trade, quoteId, header);
        expectRefusal(early, 409, 'IDEMPOTENCY_KEY_REUSED');
        expect(early.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
        expect(await countRows(service, accountId)).toMatchObject({ orders: 0, idempotency_records: 0 });
      } finally {
        await other.end();
      }
      expect((await placeOrder(trade, quoteId, header)).status).toBe(201);
      expect(await countRows(service, accountId)).toMatchObject({ orders: 1, invoices: 1, order_events: 1, idempotency_records: 1 });
    });

    it('that is frozen with the locks of its key and account delays no 409 and no replay', async () => {
      const { trade, accountId } = await aTrader(service);
      const [{ quoteId }, { quoteId: frozenQuote }] = [await aQuote(trade), await aQuote(trade)];
      const [header, frozen] = [anIdempotencyKeyHeader(), anIdempotencyKeyHeader()];
      const stored = await placeOrder(trade, quoteId, header);
      const lock = await holdLock(service.deps.database, 'SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
      const other = new Client({ connectionString: service.deps.config.databaseUrl });
      try {
        await other.connect();
        await other.query('BEGIN');
        await other.query(keyLockSql({ accountId, idempotencyKey: frozen['idempotency-key'] ?? '' }));
        expectRefusal(await placeOrder(trade, frozenQuote, frozen), 409, 'IDEMPOTENCY_KEY_REUSED');
        const replays = await Promise.all([1, 2, 3].map(() => placeOrder(trade, quoteId, header)));
        expect(replays.map(({ status, text }) => [status, text])).toEqual(replays.map(() => [201, stored.text]));
      } finally {
        await other.end();
        await lock.release();
      }
      expect((await placeOrder(trade, frozenQuote, frozen)).status).toBe(201);
    });

    it('after placing the order but before the response, the retry gets the stored bytes', async () => {
      const { trade, accountId } = await aTrader(service);
      const { quoteId } = await aQuote(trade);
      const header = anIdempotencyKeyHeader();
      await placeOrder(trade, quoteId, header);
      const [order] = await sql<{ body: string }>(service, `SELECT response_body AS body FROM idempotency_records WHERE account_id = $1`, [
        accountId,
      ]);
      const again = await placeOrder(trade, quoteId, header);
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, order?.body, 'true']);
    });
  });
});
