import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createTradeApp } from '../../../src/http/app';
import { closeServer, listen } from '../../../src/http-server/listen';
import type { ServerTimeouts } from '../../../src/http-server/timeouts';
import { putBytes, putRequestHead, startTestStore } from '../../service/storage/support';
import { aKey } from '../../support/accounts';
import { aLine, anOrder, aQuote, uploadArtwork } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { SlowClients } from './support/slow-clients';

const NO_TIMEOUT_MS = 600_000;

describe('a thousand slow clients', () => {
  const service = useService();
  let server: Server;
  let trade: HttpClient;
  let crowd: SlowClients;
  let keys: string[];
  let largeQuoteId: string;
  beforeAll(async () => {
    const ordinary = service.trade(service.account.testKey);
    const imageUrl = await uploadArtwork(ordinary);
    largeQuoteId = (await aQuote(ordinary, { items: Array.from({ length: 200 }, () => aLine(imageUrl)) })).quoteId;
  });
  /** Each has separate rate limits. */
  beforeEach(async () => {
    keys = await Promise.all(Array.from({ length: 10 }, () => aKey(service.deps.database, service.account.accountId)));
  });
  afterEach(async () => {
    crowd?.closeAll();
    if (server?.listening) await closeServer(server);
  });

  async function startServer(patience: ServerTimeouts): Promise<void> {
    server = await listen(createTradeApp(service.deps).callback(), 0, '127.0.0.1', patience);
    const { port } = server.address() as AddressInfo;
    trade = new HttpClient(`http://127.0.0.1:${port}/v1`, service.account.testKey);
    crowd = new SlowClients(port);
  }
  const countConnections = () =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  const credential = (index: number) => `Authorization: Bearer ${keys[index % keys.length]}`;

  /** Half never end their headers and half never end a body. Two request megabytes and read none of it. */
  async function openThousandConnections(): Promise<void> {
    await crowd.openDripping(500, () => 'GET /v1/catalogue HTTP/1.1\r\nHost: any\r\nX-Slow: ');
    await crowd.openDripping(
      500,
      (index) =>
        `POST /v1/quotes HTTP/1.1\r\nHost: any\r\n${credential(index)}\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n{"items":`,
    );
    // More than the system's buffers hold. A key is limited to 120 requests a minute.
    await crowd.openNonReading(2, (index) =>
      [index, index + 2]
        .map((key) => `GET /v1/quotes/${largeQuoteId} HTTP/1.1\r\nHost: any\r\n${credential(key)}\r\n\r\n`.repeat(120))
        .join(''),
    );
  }

  it('leave room for other clients, and no connections after they disconnect', async () => {
    await startServer({ headersMs: NO_TIMEOUT_MS, requestMs: NO_TIMEOUT_MS, idleMs: NO_TIMEOUT_MS, checkIntervalMs: 100 });
    await openThousandConnections();
    await waitFor('a thousand connections', async () => (await countConnections()) >= 1000);
    expect((await trade.get('/catalogue')).status).toBe(200);
    expect((await anOrder(trade)).status).toBe('received');
    expect((await fetch(trade.baseUrl.replace('/v1', '/healthz'))).status).toBe(200);
    expect(crowd.openCount).toBe(1002);
    crowd.closeAll();
    await waitFor('the end of the last connection', async () => (await countConnections()) < 10);
  });

  it('are disconnected in every phase of a request', async () => {
    const countSockets = () => process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
    await startServer({ headersMs: 1500, requestMs: 3000, idleMs: 3000, checkIntervalMs: 100 });
    const before = countSockets();
    await openThousandConnections();
    await waitFor('the end of all connections', async () => (await countConnections()) === 0);
    crowd.closeAll();
    await waitFor('the end of every socket', async () => countSockets() <= before);
    // A slow machine can pause this process for seconds, which is not the fault of the clients.
    for (const answer of crowd.answers.filter((text) => text !== ''))
      expect(answer).toMatch(/^HTTP\/1\.1 (400 .*"code":"VALIDATION_ERROR"|500 .*the service paused)/s);
    await waitFor('the response to an ordinary client', () =>
      trade.get('/catalogue').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });
});

describe('slow clients of the artwork store', () => {
  it('are disconnected in every phase, and leave no partial file', async () => {
    const patient = await startTestStore(); // a slow machine can need longer for the large file than slow clients get
    const store = await startTestStore({ dir: patient.dir, headersTimeoutMs: 1000, uploadTimeoutMs: 2000, idleTimeoutMs: 2000 });
    const crowd = new SlowClients(store.server.port);
    try {
      const large = await patient.target({ sizeBytes: 16 * 1024 * 1024 });
      expect((await putBytes(large.uploadUrl, Buffer.alloc(16 * 1024 * 1024))).status).toBe(200);
      const whole = await store.filesOnDisk();
      const { pathname, search } = new URL(await store.readUrl(large.key));
      const targets = await Promise.all(Array.from({ length: 100 }, () => store.target({ sizeBytes: 100_000 })));
      await crowd.openDripping(100, () => `PUT /${large.key} HTTP/1.1\r\nHost: any\r\nX-Slow: `);
      // On a slow machine, the first uploads end before the last ones begin.
      await Promise.all([
        waitFor('the uploads in progress', async () => (await store.filesOnDisk()).length > whole.length),
        crowd.openDripping(100, (index) => putRequestHead(targets[index]?.uploadUrl ?? '', 100_000)),
      ]);
      await crowd.openNonReading(10, () => `GET ${pathname}${search} HTTP/1.1\r\nHost: any\r\n\r\n`);
      await waitFor('the end of clients that send', async () => crowd.openCount === 10);
      await waitFor('the end of clients that do not read', async () => store.logged().split('"method":"GET"').length - 1 === 10);
      await expectSoon(() => store.filesOnDisk()).toEqual(whole);
    } finally {
      crowd.closeAll();
      await store.close();
      await patient.close();
    }
  });
});
