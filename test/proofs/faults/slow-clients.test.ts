import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createTradeApp } from '../../../src/http/app';
import { closeServer, listen } from '../../../src/http-server/listen';
import type { Patience } from '../../../src/http-server/patience';
import { put, putHead, startTestStore } from '../../service/storage/support';
import { aKey } from '../../support/accounts';
import { aLine, anOrder, aQuote, uploadArtwork } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { SlowClients } from './support/slow-clients';

const LONG = 600_000;

describe('a thousand slow clients', () => {
  let service: TestService;
  let server: Server;
  let trade: HttpClient;
  let crowd: SlowClients;
  let keys: string[];
  let largeQuoteId: string;
  beforeAll(async () => {
    service = await startService();
    const ordinary = service.trade(service.account.testKey);
    const imageUrl = await uploadArtwork(ordinary);
    largeQuoteId = (await aQuote(ordinary, { items: Array.from({ length: 200 }, () => aLine(imageUrl)) })).quoteId;
  });
  /** Each with budgets of its own. */
  beforeEach(async () => {
    keys = await Promise.all(Array.from({ length: 10 }, () => aKey(service.deps.database, service.account.accountId)));
  });
  afterEach(async () => {
    crowd?.leave();
    if (server?.listening) await closeServer(server);
  });
  afterAll(() => service?.stop());

  async function begin(patience: Patience): Promise<void> {
    server = await listen(createTradeApp(service.deps).callback(), 0, '127.0.0.1', patience);
    const { port } = server.address() as AddressInfo;
    trade = new HttpClient(`http://127.0.0.1:${port}/v1`, service.account.testKey);
    crowd = new SlowClients(port);
  }
  const connections = () =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  const credential = (index: number) => `Authorization: Bearer ${keys[index % keys.length]}`;

  /** Half never end their headers, half never end a body; two ask for megabytes and read none of it. */
  async function aThousand(): Promise<void> {
    await crowd.drippers(500, () => 'GET /v1/catalogue HTTP/1.1\r\nHost: any\r\nX-Slow: ');
    await crowd.drippers(
      500,
      (index) =>
        `POST /v1/quotes HTTP/1.1\r\nHost: any\r\n${credential(index)}\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n{"items":`,
    );
    // So much that no buffer of the system's takes it all; 120 a minute is what a key may ask for.
    await crowd.deaf(2, (index) =>
      [index, index + 2]
        .map((key) => `GET /v1/quotes/${largeQuoteId} HTTP/1.1\r\nHost: any\r\n${credential(key)}\r\n\r\n`.repeat(120))
        .join(''),
    );
  }

  it('leave room for everybody else, and nothing behind when they go', async () => {
    await begin({ headersMs: LONG, requestMs: LONG, idleMs: LONG, checkedEveryMs: 100 });
    await aThousand();
    await waitFor('a thousand connections', async () => (await connections()) >= 1000);
    expect((await trade.get('/catalogue')).status).toBe(200);
    expect((await anOrder(trade)).status).toBe('received');
    expect((await fetch(trade.baseUrl.replace('/v1', '/healthz'))).status).toBe(200);
    expect(crowd.open).toBe(1002);
    crowd.leave();
    await waitFor('the last has gone', async () => (await connections()) < 10);
  });

  it('are cut, whatever they are slow at', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
    await begin({ headersMs: 1500, requestMs: 3000, idleMs: 3000, checkedEveryMs: 100 });
    const before = sockets();
    await aThousand();
    await waitFor('the server has nobody any more', async () => (await connections()) === 0);
    crowd.leave();
    await waitFor('every socket is gone', async () => sockets() <= before);
    for (const answer of crowd.answers.filter((text) => text !== ''))
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"VALIDATION_ERROR"/s);
    await waitFor('an ordinary client is answered', () =>
      trade.get('/catalogue').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });
});

describe('slow clients of the artwork store', () => {
  it('are cut, whatever they are slow at, and leave no part of a file', async () => {
    const store = await startTestStore({ headersTimeoutMs: 1000, uploadTimeoutMs: 2000, idleTimeoutMs: 2000 });
    const crowd = new SlowClients(store.server.port);
    try {
      const large = await store.target({ sizeBytes: 16 * 1024 * 1024 });
      expect((await put(large.uploadUrl, Buffer.alloc(16 * 1024 * 1024))).status).toBe(200);
      const whole = await store.filesOnDisk();
      const { pathname, search } = new URL(await store.storage.signedReadUrl(large.key));
      const targets = await Promise.all(Array.from({ length: 100 }, () => store.target({ sizeBytes: 100_000 })));
      await crowd.drippers(100, () => `PUT /${large.key} HTTP/1.1\r\nHost: any\r\nX-Slow: `);
      await crowd.drippers(100, (index) => putHead(targets[index]?.uploadUrl ?? '', 100_000));
      await crowd.deaf(10, () => `GET ${pathname}${search} HTTP/1.1\r\nHost: any\r\n\r\n`);
      await waitFor('the uploads are on their way', async () => (await store.filesOnDisk()).length > whole.length);
      await waitFor('those who send have been cut', async () => crowd.open === 10);
      await waitFor('those who do not read have been cut', async () => store.logged().split('"method":"GET"').length - 1 === 10);
      expect(await store.filesOnDisk()).toEqual(whole);
    } finally {
      crowd.leave();
      await store.close();
    }
  });
});
