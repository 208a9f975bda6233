import { once } from 'node:events';
import { connect } from 'node:net';
import { TIMEOUTS } from '../../../src/db/database';
import { hashKey } from '../../../src/security/api-keys';
import { TEMPORAL_TIMEOUTS } from '../../../src/temporal/options';
import { anOrder, aQuote } from '../../support/baskets';
import { createDatabase } from '../../support/database';
import { anEndpoint } from '../../support/endpoints';
import { holdLock, type HeldLock } from '../../support/held-lock';
import { LONG_TEMPORAL_TIMEOUTS, sharedService, startService } from '../../support/service';
import { useReceiver, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { TcpProxy } from '../../support/tcp-proxy';
import { aToken } from './studio/support';
import { aTrader, expectRefusal, sql, type Trader } from './support';

const READ_CONCURRENCY = 2;
const MAX_WAITING = 100;

/** Locks a table, so the requests of a test stay in the database until the release. */
describe('an overloaded service', () => {
  const receiver = useReceiver();
  // Rate limits above the number of requests that an account may have waiting.
  const service = useService(() => ({ env: { RATE_LIMIT_FACTOR: '10', WEBHOOK_ALLOWED_ORIGINS: receiver.origin } }));
  let lock: HeldLock | null;
  let busy: Trader;
  let other: Trader;
  beforeEach(async () => {
    [busy, other] = [await aTrader(service), await aTrader(service)];
  });
  afterEach(async () => {
    await lock?.release();
    lock = null;
  });

  const lockTable = async (table: string): Promise<void> => {
    // The search for orders without a workflow would wait for the lock too.
    await waitFor(
      'every workflow is started',
      async () => (await sql(service, 'SELECT 1 FROM orders WHERE workflow_checked_at IS NULL')).length === 0,
    );
    lock = await holdLock(service.deps.database, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  };
  const release = async (): Promise<void> => {
    await lock?.release();
    lock = null;
  };
  const countLockWaits = async (): Promise<number> => {
    const text = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event <> 'object'`;
    return (await sql<{ count: number }>(service, text))[0]?.count ?? 0;
  };
  const countHits = async (endpoint: string): Promise<number> => {
    const text =
      'SELECT sum(cardinality(hits))::int AS count FROM rate_windows WHERE subject IN (SELECT $1 || id FROM api_keys WHERE account_id = $2) AND endpoint = $3';
    return (await sql<{ count: number | null }>(service, text, ['key:', busy.accountId, endpoint]))[0]?.count ?? 0;
  };

  it('gives an account a few connections, lets a hundred requests wait and refuses the next with 503', async () => {
    const { orderId } = await anOrder(busy.trade);
    await lockTable('parcels');
    const reads = Array.from({ length: READ_CONCURRENCY + MAX_WAITING }, () => busy.trade.get(`/orders/${orderId}`));
    await waitFor('the waiting reads', async () => (await countLockWaits()) === READ_CONCURRENCY);
    const refused = await waitFor('a refusal', async () => {
      const reply = await busy.trade.get('/orders');
      return reply.status === 503 && reply;
    });
    expectRefusal(refused, 503, 'OVERLOADED');
    expect(refused.headers['retry-after']).toBe('1');
    expect(await countLockWaits()).toBe(READ_CONCURRENCY);
    expect((await other.trade.get('/catalogue')).status).toBe(200);
    await release();
    expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
    // The refused request does not count.
    expect(await countHits('GET /orders')).toBe(0);
    expect(await countHits('GET /orders/{id}')).toBe(READ_CONCURRENCY + MAX_WAITING);
  });

  it('queues invoice PDFs of an account without delaying other requests', async () => {
    const { orderId } = await anOrder(busy.trade);
    await lockTable('invoices');
    const pdfs = Array.from({ length: 10 }, () => busy.trade.get(`/orders/${orderId}/invoice.pdf`));
    await waitFor('a PDF waits', async () => (await countLockWaits()) > 0);
    expect((await busy.trade.get(`/orders/${orderId}`)).status).toBe(200);
    expect((await aQuote(busy.trade)).quoteId).toEqual(expect.any(String));
    expect(await countLockWaits()).toBe(1);
    await release();
    expect((await Promise.all(pdfs)).map(({ status }) => status)).toEqual(pdfs.map(() => 200));
  });

  it("queues the studio's pings with the account's own, one at a time", async () => {
    const { id } = await anEndpoint(service.deps.database, busy.accountId, receiver.url);
    const unanswered: (() => void)[] = [];
    receiver.respondWith((_, response) => void unanswered.push(() => response.writeHead(204).end()));
    const pings = [
      service.studio().post(`/webhook-endpoints/${id}/ping`, {}),
      service.studio().post(`/webhook-endpoints/${id}/enable`, {}),
      busy.trade.post(`/webhook-endpoints/${id}/ping`, {}),
    ];
    await waitFor('all waiting requests', async () => service.deps.slowRequestQueue.size(`${busy.accountId}/test`) === pings.length);
    for (const [index] of pings.entries()) {
      await receiver.waitFor(index + 1);
      expect(receiver.received).toHaveLength(index + 1);
      unanswered.shift()?.();
    }
    expect((await Promise.all(pings)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('handles the requests of one connection one after the other', async () => {
    const { orderId } = await anOrder(busy.trade);
    await lockTable('parcels');
    const socket = connect({ port: service.api.tradePort, host: '127.0.0.1' });
    let answers = '';
    socket.on('data', (chunk: Buffer) => (answers += chunk.toString('latin1')));
    const head = `GET /v1/orders/${orderId} HTTP/1.1\r\nHost: any\r\nAuthorization: Bearer ${busy.testKey}\r\n`;
    socket.write(`${head}\r\n${head}\r\n${head}Connection: close\r\n\r\n`);
    await waitFor('the first request waits', async () => (await countLockWaits()) === 1);
    expect(await countHits('GET /orders/{id}')).toBe(1);
    await release();
    await once(socket, 'close');
    expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  });
});

it('a request is refused with 503 while PostgreSQL does not answer new connections', async () => {
  const database = await createDatabase();
  const url = new URL(database.url);
  const proxy = await TcpProxy.to(url.host);
  url.host = proxy.address;
  const service = await startService({ worker: false, env: { DATABASE_URL: url.href }, timeouts: TIMEOUTS });
  const trade = service.trade(service.account.testKey);
  proxy.stick();
  expectRefusal(await trade.get('/orders'), 503, 'OVERLOADED');
  proxy.mend();
  expect((await trade.get('/orders')).status).toBe(200);
  await service.stop();
  await proxy.close();
  await database.drop();
});

it('a connection with more than a hundred unanswered requests is closed', async () => {
  const service = await sharedService({ worker: false });
  const socket = connect({ port: service.api.tradePort, host: '127.0.0.1' });
  let answers = '';
  socket.on('data', (chunk: Buffer) => (answers += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write('GET /v1/orders HTTP/1.1\r\nHost: any\r\n\r\n'.repeat(3000));
  await new Promise((resolve) => socket.once('close', resolve)); // also after a reset
  expect((answers.match(/HTTP\/1\.1 /g) ?? []).length).toBeLessThan(3000);
  expect((await service.trade(service.account.testKey).get('/catalogue')).status).toBe(200);
  await service.stop();
});

describe('a source with failed authentications', () => {
  let lock: HeldLock | null = null;
  afterAll(() => lock?.release()); // before the service stops
  const service = useService(() => ({ worker: false }));

  const countWaitingLookUps = async (): Promise<number> => {
    const text = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%admit_request%'`;
    return (await sql<{ count: number }>(service, text))[0]?.count ?? 0;
  };

  it('looks up one new key at a time without delaying keys that worked before', async () => {
    const known = service.trade(service.account.liveKey);
    expect((await known.get('/catalogue')).status).toBe(200);
    lock = await holdLock(service.deps.database, 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    const guesses = Array.from({ length: 9 }, (_, index) => service.trade(`lpk_test_${String(index).repeat(64)}`).get('/orders'));
    const answer = known.get('/catalogue');
    await waitFor('two waiting look-ups', async () => (await countWaitingLookUps()) === 2);
    await lock.release();
    expect((await answer).status).toBe(200);
    expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(guesses.map(() => 401));
    await sql(service, `DELETE FROM rate_windows`);
  });

  it('counts every failure, then gets one look-up at a time, and its valid key still works', async () => {
    const unknownKey = `lpk_test_${'0'.repeat(64)}`;
    const unknown = service.trade(unknownKey);
    for (let failure = 0; failure < 20; failure += 1) expectRefusal(await unknown.get('/orders'), 401, 'UNAUTHORIZED');
    expectRefusal(await unknown.get('/orders'), 429, 'RATE_LIMITED');
    lock = await holdLock(service.deps.database, 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    // A key that was looked up within the last second needs no other look-up. A slow machine takes longer.
    const refused = await waitFor('a refusal without a look-up', async () => {
      service.deps.authenticationCache.rememberUnknown(hashKey(unknownKey));
      const reply = await unknown.get('/orders');
      return reply.status !== 503 && reply;
    });
    expectRefusal(refused, 429, 'RATE_LIMITED');
    const keys = Array.from({ length: 9 }, (_, index) => `lpk_test_${String(index + 1).repeat(64)}`);
    const waiting = [...keys, service.account.testKey].map((key) => service.trade(key).get('/orders'));
    await waitFor('one waiting look-up', async () => (await countWaitingLookUps()) === 1);
    await lock.release();
    const replies = await Promise.all(waiting);
    expect(replies.map(({ status }) => status)).toEqual([...keys.map(() => 429), 200]);
  });
});

it('a cancel that waits for a worker does not delay the uploads of its account, and is not applied after its answer', async () => {
  const temporalTimeouts = { ...LONG_TEMPORAL_TIMEOUTS, responseMs: TEMPORAL_TIMEOUTS.responseMs };
  const service = await startService({ worker: false, temporalTimeouts });
  try {
    const trader = await aTrader(service);
    const { orderId } = await anOrder(trader.trade);
    const cancel = trader.trade.post(`/orders/${orderId}/cancel`);
    const isWaiting = () => service.deps.tradeMessageQueue.size(trader.accountId) === 1;
    await waitFor('the cancel waits', async () => isWaiting());
    const upload = await trader.trade.post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: 10 });
    expect([upload.status, isWaiting()]).toEqual([201, true]);
    expectRefusal(await cancel, 503, 'SERVICE_UNAVAILABLE');
    Object.assign(temporalTimeouts, LONG_TEMPORAL_TIMEOUTS);
    await service.startWorker();
    expect((await service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'press-1', type: 'held' })).status).toBe(200);
    const { status, timeline } = (await service.studio().get(`/orders/${orderId}`)).json.data;
    expect([status, timeline.map(({ type }: { type: string }) => type)]).toEqual(['on_hold', ['held']]);
  } finally {
    await service.stop();
  }
});

it('a message to a locked order is refused as OVERLOADED, and works afterwards', async () => {
  const service = await startService({ timeouts: TIMEOUTS });
  try {
    const trader = await aTrader(service);
    const { orderId } = await anOrder(trader.trade);
    const print = () => service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'press-1', type: 'printed' });
    const lock = await holdLock(service.deps.database, 'SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [orderId]);
    try {
      const refused = await print();
      expectRefusal(refused, 503, 'OVERLOADED');
      expect(refused.headers['retry-after']).toBe('1');
    } finally {
      await lock.release();
    }
    expect((await print()).json.data.timeline).toHaveLength(1);
  } finally {
    await service.stop();
  }
});

describe('a change whose response cannot be read', () => {
  const service = useService(() => ({ timeouts: TIMEOUTS }));

  /** Holds the table while the request is answered, for longer than a statement waits for a lock. */
  async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
    const lock = await holdLock(service.deps.database, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    try {
      return await work();
    } finally {
      await lock.release();
    }
  }

  it('is stored and answered with SERVICE_UNAVAILABLE, so its id is kept', async () => {
    const { orderId } = await anOrder((await aTrader(service)).trade);
    const hold = () => service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'press-1', type: 'held' });
    const refused = await whileLocked('artwork_inspections', hold);
    expectRefusal(refused, 503, 'SERVICE_UNAVAILABLE');
    expect(refused.headers['retry-after']).toBe('5');
    expect(await sql(service, 'SELECT type FROM order_timeline WHERE order_id = $1', [orderId])).toEqual([{ type: 'held' }]);
    expect((await hold()).json.data.timeline).toHaveLength(1);
  });

  it('is a change of an order, whose repeat with the same key has the response', async () => {
    const { trade } = await aTrader(service);
    const { orderId } = await anOrder(trade);
    const key = { 'idempotency-key': 'change-1' };
    const change = () => trade.send('PATCH', `/orders/${orderId}`, { reference: 'PO-4711' }, key);
    const { orders } = service.deps.temporal;
    const apply = orders.applyMessage.bind(orders);
    let lock: HeldLock | null = null;
    const applied = jest.spyOn(orders, 'applyMessage').mockImplementationOnce(async (...parameters) => {
      const result = await apply(...parameters);
      lock = await holdLock(service.deps.database, 'LOCK TABLE idempotency_records IN ACCESS EXCLUSIVE MODE');
      return result;
    });
    try {
      expectRefusal(await change(), 503, 'SERVICE_UNAVAILABLE');
    } finally {
      applied.mockRestore();
      await (lock as HeldLock | null)?.release();
    }
    const repeated = await change();
    expect([repeated.status, repeated.json.data.reference, repeated.headers['idempotent-replayed']]).toEqual([200, 'PO-4711', 'true']);
  });

  it('is an erasure that has begun: the repeat erases the rest', async () => {
    const { accountId, trade } = await aTrader(service);
    const { orderId } = await anOrder(trade);
    expect((await trade.post(`/orders/${orderId}/cancel`)).status).toBe(200);
    const note = { noteId: 'note-1', text: 'her dog is called Basil' };
    expect((await service.studio().post(`/accounts/${accountId}/notes`, note)).status).toBe(201);
    const erase = () => service.studio().post(`/accounts/${accountId}/erase`, { before: '2999-01-01' });
    const refused = await whileLocked('parcels', erase);
    expectRefusal(refused, 503, 'SERVICE_UNAVAILABLE');
    expect(refused.json.error?.message).toBe('a part of the data is perhaps erased; repeat the request to erase the rest');
    expect(await sql(service, 'SELECT id FROM notes WHERE account_id = $1', [accountId])).toEqual([]);
    expect((await erase()).json.data).toMatchObject({ orders: 1, notes: 0, complete: true });
  });

  it('does not exist for a sign-in, because a station without its cookie is locked out', async () => {
    const token = await aToken(service, 'floor');
    expectRefusal(await whileLocked('price_books', () => service.studio('').post('/session', { token })), 503, 'OVERLOADED');
    expect(await sql(service, 'SELECT 1 FROM studio_sessions')).toEqual([]);
  });
});
