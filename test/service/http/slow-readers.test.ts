import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { insertEvent } from '../../../src/db/repositories/webhook-deliveries';
import { createTradeApp } from '../../../src/http/app';
import { EVENT_EXAMPLE } from '../../../src/http/openapi/examples';
import { closeServer, listen } from '../../../src/http-server/listen';
import { newId } from '../../../src/security/ids';
import { anOrder } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { useFixture, useSharedService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { aTrader } from './support';

const MIB = 1024 * 1024;
const CONNECTIONS = 4;
const PIPELINED = 30;
/** Each page has two events of half a million characters, which a compressed page halves. */
const MIN_PAGE_BYTES = { identity: 1_000_000, br: 500_000 };

describe('a client that requests pages and does not read them', () => {
  const service = useSharedService();
  const trader = useFixture(() => aTrader(service));
  const opened: Socket[] = [];
  const countCuts = (): number => service.logLines.filter((line) => line.includes('closed a connection')).length;
  beforeAll(async () => {
    const { orderId } = await anOrder(trader.trade);
    for (const sequence of [2, 3]) {
      const id = newId('evt');
      const lines = [{ ...EVENT_EXAMPLE.data.lines[0], productName: randomBytes(250_000).toString('hex') }];
      const body = JSON.stringify({ ...EVENT_EXAMPLE, id, sequence, data: { ...EVENT_EXAMPLE.data, orderId, lines } });
      const { accountId } = trader;
      const createdAt = new Date();
      const event = {
        id,
        orderId,
        accountId,
        sequence,
        body,
        createdAt,
        traceContext: null,
        environment: 'test',
        part: 0,
        type: 'order.shipped',
      } as const;
      await service.deps.database.transaction((sql) => insertEvent(sql, event));
    }
  });
  const server = useFixture(
    () => {
      const config = { ...service.deps.config, rateLimitFactor: 100 }; // both tests send the pages that one key may have in a minute
      const app = createTradeApp({ ...service.deps, config }, { bytes: 2 * MIB, slowMs: 300 });
      return listen(app.callback(), 0, '127.0.0.1');
    },
    (listening) => {
      for (const socket of opened) socket.destroy();
      return closeServer(listening);
    },
  );
  const serverPort = () => (server.address() as AddressInfo).port;
  const client = (key: string) => new HttpClient(`http://127.0.0.1:${serverPort()}/v1`, key);

  it.each(['identity', 'br'] as const)('in %s is disconnected, its key still works, and other keys do not wait', async (encoding) => {
    const sockets: Socket[] = [];
    const cutBefore = countCuts();
    const head = `GET /v1/events?limit=100 HTTP/1.1\r\nHost: any\r\nAuthorization: Bearer ${trader.testKey}\r\nAccept-Encoding: ${encoding}\r\n`;
    // Each connection has one unsent response; together they exceed the limit of a key.
    for (let index = 0; index < CONNECTIONS; index += 1) {
      const socket = connect(serverPort(), '127.0.0.1').pause();
      sockets.push(socket.on('error', () => undefined));
      opened.push(socket);
      socket.write(`${head}\r\n`.repeat(PIPELINED - 1) + `${head}Connection: close\r\n\r\n`);
    }
    await Promise.all(sockets.map((socket) => once(socket, 'readable'))); // the first responses are being sent
    const other = await aTrader(service);
    expect((await client(other.testKey).get('/orders')).status).toBe(200);
    await waitFor('a slow connection is closed', async () => {
      const { status, json } = await client(trader.testKey).get('/orders');
      if (status === 503) return false; // on a busy machine the request waits too long
      expect({ status, orders: json.data?.length }).toEqual({ status: 200, orders: 1 });
      return countCuts() > cutBefore;
    });
    let bytes = 0;
    for (const socket of sockets) socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
    expect(bytes).toBeLessThan(CONNECTIONS * PIPELINED * MIN_PAGE_BYTES[encoding]);
  });
});
