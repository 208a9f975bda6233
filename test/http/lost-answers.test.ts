import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { loadConfig } from '../../src/config';
import { createDependencies, type Dependencies } from '../../src/dependencies';
import { freePort } from '../../src/dev/ports';
import { startApi, type ApiProcess } from '../../src/server';
import { aKeyHeader, aQuote, placeOrder } from '../support/baskets';
import { HttpClient } from '../support/client';
import { temporalAddress } from '../support/infrastructure';
import { startService, type TestService } from '../support/service';
import { aTrader, expectRefusal, holdLock, rowsOf, untilSomeoneWaits } from './support';

/** A wire to Temporal that can be cut and mended; the API is on it, the worker is not. */
class Wire {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private constructor(private readonly server: Server) {}

  static async to(address: string): Promise<Wire> {
    const [host = '', port = ''] = address.split(':');
    const server = createServer();
    const wire = new Wire(server);
    server.on('connection', (near) => wire.join(near, connect(Number(port), host)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    return wire;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket, far: Socket): void {
    for (const [socket, other] of [[near, far], [far, near]] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
    if (this.isCut) near.destroy();
  }
}

describe('POST /orders while the connection to Temporal breaks', () => {
  let service: TestService;
  let wire: Wire;
  beforeAll(async () => {
    wire = await Wire.to(temporalAddress());
    service = await startService({ worker: false, temporalAddress: wire.address });
    service.env.TEMPORAL_ADDRESS = temporalAddress();
    await service.startWorker();
  });
  let another: { deps: Dependencies; api: ApiProcess } | null = null;
  afterEach(() => wire.mend());
  afterAll(async () => {
    await another?.api.close();
    await another?.deps.close();
    await service.stop();
    await wire.close();
  });

  /** A second API process on the same database and task queue, whose wire is whole. */
  async function onAnotherProcess(key: string): Promise<HttpClient> {
    const config = loadConfig({ ...service.env, STORAGE_PORT: String(await freePort()) });
    const deps = await createDependencies(config, 'another', { logger: service.deps.logger, taskQueue: service.taskQueue });
    another = { deps, api: await startApi(deps) };
    return new HttpClient(`http://127.0.0.1:${another.api.tradePort}/v1`, key);
  }

  it('the answer is lost after the order was placed: 201 with the order, and the same bytes again', async () => {
    const { trade, accountId } = await aTrader(service);
    const { quoteId } = await aQuote(trade);
    const header = aKeyHeader();
    const lock = await holdLock(service, 'SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    const first = placeOrder(trade, quoteId, header);
    try {
      await untilSomeoneWaits(service);
      wire.cut();
    } finally {
      await lock.release();
    }
    const reply = await first;
    expect([reply.status, reply.json.error]).toEqual([201, null]);
    wire.mend();
    const again = await placeOrder(trade, quoteId, header);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([reply.text, 'true']);
    expect(await rowsOf(service, accountId)).toMatchObject({ orders: 1, invoices: 1, order_events: 1, idempotency_records: 1 });
  });

  it('Temporal is away: 500 that leaves nothing, quotes and reads go on, and the same key places the order through a process that reaches it', async () => {
    const { trade, accountId, testKey } = await aTrader(service);
    const { quoteId } = await aQuote(trade);
    const header = aKeyHeader();
    wire.cut();
    const attempt = placeOrder(trade, quoteId, header);
    expect((await trade.get(`/quotes/${quoteId}`)).status).toBe(200);
    expect((await trade.get('/orders')).json.data).toEqual([]);
    expect((await aQuote(trade)).quoteId).toMatch(/^quo_/);
    expectRefusal(await attempt, 500, 'INTERNAL_ERROR');
    expect(await rowsOf(service, accountId)).toMatchObject({ orders: 0, invoices: 0, order_events: 0, idempotency_records: 0 });
    const placed = await placeOrder(await onAnotherProcess(testKey), quoteId, header);
    expect([placed.status, placed.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(await rowsOf(service, accountId)).toMatchObject({ orders: 1, invoices: 1, order_events: 1 });
  });
});
