import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { insertEvent } from '../../../src/db/repositories/webhook-deliveries';
import { createTradeApp } from '../../../src/http/app';
import { EVENT_EXAMPLE } from '../../../src/http/openapi/examples';
import { closeServer, listen } from '../../../src/http-server/listen';
import { newId } from '../../../src/security/ids';
import { anOrder } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { sharedService, type TestService } from '../../support/service';
import { aTrader, type Trader } from './support';

const MIB = 1024 * 1024;
const PIPELINED = 30;

describe('a client that asks for pages and does not read them', () => {
  let service: TestService;
  let server: Server;
  let base: string;
  let trader: Trader;
  let socket: Socket;
  beforeAll(async () => {
    service = await sharedService();
    trader = await aTrader(service);
    const { orderId } = await anOrder(trader.trade);
    for (const sequence of [2, 3]) {
      const id = newId('evt');
      const lines = [{ ...EVENT_EXAMPLE.data.lines[0], productName: 'x'.repeat(500_000) }];
      const body = JSON.stringify({ ...EVENT_EXAMPLE, id, sequence, data: { ...EVENT_EXAMPLE.data, orderId, lines } });
      const { accountId } = trader;
      const createdAt = new Date();
      await insertEvent(service.deps.database, {
        id,
        orderId,
        accountId,
        sequence,
        body,
        createdAt,
        environment: 'test',
        type: 'order.shipped',
      });
    }
    const app = createTradeApp(service.deps, { bytes: 2 * MIB, slowMs: 300 });
    server = await listen(app.callback(), 0, '127.0.0.1');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(async () => {
    socket?.destroy();
    await closeServer(server);
    await service.stop();
  });

  it('is cut, and its key goes on; other keys have not waited', async () => {
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(`GET /v1/events?limit=100 HTTP/1.1\r\nHost: any\r\nAuthorization: Bearer ${trader.testKey}\r\n\r\n`.repeat(PIPELINED));
    await once(socket, 'readable'); // the first answer is on its way
    const other = await aTrader(service);
    expect((await new HttpClient(base, other.testKey).get('/orders')).status).toBe(200);
    expect((await new HttpClient(base, trader.testKey).get('/orders')).json.data).toHaveLength(1);
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
    socket.resume();
    await once(socket, 'close');
    expect(bytes).toBeLessThan(PIPELINED * MIB * 0.9);
  });
});
