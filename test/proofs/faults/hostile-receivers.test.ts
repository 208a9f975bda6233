import type { Socket } from 'node:net';
import { createWebhookSender } from '../../../src/webhooks/send';
import { aTrader, type Trader } from '../../service/http/support';
import { anIdempotencyKeyHeader, aQuote, placeOrder } from '../../support/baskets';
import { aKey } from '../../support/accounts';
import { anEndpoint } from '../../support/endpoints';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { startReceiver as startGoodReceiver, type WebhookReceiver } from '../../support/webhook-receiver';
import { drip, flood, startSilentReceiver, startReceiver, type Receiver } from '../../service/webhooks/support/receiver';
import { copyQuote } from '../../support/row-copies';

const ORDERS = 25;

/** A receiver with its own account and its log of attempts. */
const HOSTILE: [string, () => Promise<Receiver>, string][] = [
  ['answers with endless 1xx', () => startReceiver((socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n')), 'protocol'],
  ['never reads', () => startSilentReceiver((socket) => void socket.pause()), 'timeout'],
  ['resets in mid-request', () => startSilentReceiver((socket) => void socket.once('data', () => reset(socket))), 'reset'],
  [
    'floods',
    () =>
      startReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        flood(socket, Buffer.from('X-Flood: and more of it\r\n'.repeat(1000)));
      }),
    'protocol',
  ],
];

function reset(socket: Socket): void {
  socket.resetAndDestroy();
}

describe('orders next to misbehaving receivers', () => {
  let service: TestService;
  let hostile: { trader: Trader; receiver: Receiver; endpointId: string; error: string }[];
  let good: WebhookReceiver;
  let healthy: Trader;

  beforeAll(async () => {
    good = await startGoodReceiver();
    const receivers = await Promise.all(HOSTILE.map(([, start]) => start()));
    const origins = receivers.map(({ port }) => `http://127.0.0.1:${port}`);
    service = await startService({
      env: { WEBHOOK_ALLOWED_ORIGINS: [good.origin, ...origins].join(','), WEBHOOK_RETRY_SCHEDULE: '100ms,100ms,100ms,100ms,100ms,100ms' },
      webhookSender: createWebhookSender({ allowedOrigins: [good.origin, ...origins] }),
    });
    healthy = await aTrader(service);
    await anEndpoint(service.deps.database, healthy.accountId, good.url);
    hostile = await Promise.all(
      receivers.map(async (receiver, index) => {
        const trader = await aTrader(service);
        const { id } = await anEndpoint(service.deps.database, trader.accountId, `${origins[index]}/hooks`);
        return { trader, receiver, endpointId: id, error: HOSTILE[index]?.[2] ?? '' };
      }),
    );
  });
  afterAll(async () => {
    await Promise.all(hostile?.map(({ receiver }) => receiver.close()) ?? []);
    await service?.stop();
    await good?.close();
  });

  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows(text, parameters);

  /** Places orders of an account in sequence. @returns the statuses */
  async function placeOrders({ accountId, trade }: Trader): Promise<number[]> {
    const { quoteId } = await aQuote(trade);
    const client = service.trade(await aKey(service.deps.database, accountId));
    const statuses: number[] = [];
    for (const copy of await copyQuote(service.deps.database, quoteId, ORDERS))
      statuses.push((await placeOrder(client, copy, anIdempotencyKeyHeader())).status);
    return statuses;
  }

  it('are placed as usual, and a healthy endpoint gets every event', async () => {
    const placed = Array.from({ length: ORDERS }, () => 201);
    expect(await Promise.all(hostile.map(({ trader }) => placeOrders(trader)))).toEqual(hostile.map(() => placed));
    await waitFor('each of them at work', async () => hostile.every(({ receiver }) => receiver.connections() > 0));
    expect(await placeOrders(healthy)).toEqual(placed);
    await waitFor('every event', async () => good.eventIds().size === ORDERS);
    await waitFor(
      'it is recorded',
      async () =>
        (
          await sql(
            `SELECT 1 FROM webhook_deliveries d JOIN orders o ON o.id = d.order_id WHERE o.account_id = $1 AND d.state = 'delivered'`,
            [healthy.accountId],
          )
        ).length === ORDERS,
    );

    for (const { trader, endpointId, error } of hostile) {
      const [left] = await sql(`SELECT count(*)::int FROM webhook_deliveries WHERE endpoint_id = $1 AND state IN ('pending', 'held')`, [
        endpointId,
      ]);
      expect(left.count).toBeGreaterThan(0);
      await waitFor(
        `${error} in the log`,
        async () =>
          (await sql('SELECT 1 FROM webhook_attempts WHERE endpoint_id = $1 AND error_code = $2 LIMIT 1', [endpointId, error])).length > 0,
      );
      // On a busy machine, an attempt may reach its limit of ten seconds first.
      const attempts = await sql('SELECT DISTINCT ok, error_code FROM webhook_attempts WHERE endpoint_id = $1', [endpointId]);
      expect(attempts).toContainEqual({ ok: false, error_code: error });
      expect(attempts.filter(({ ok, error_code }) => ok || ![error, 'timeout'].includes(error_code))).toEqual([]);
      expect((await trader.trade.get('/orders?limit=100')).json.data).toHaveLength(ORDERS);
    }
  });
});
