import { anAccount, aKey, type TestAccount } from '../../support/accounts';
import { placeOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { isSignedBy, startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';
import { forEachLimited, createQuotes } from '../../service/webhooks/support/quotes';

/** The number of orders. `npm run test:webhook-load` places a thousand. */
const ORDERS = Number(process.env['LOAD_ORDERS'] ?? 120);
const ACCOUNTS = 3;
const PLACING_CONCURRENCY = 8;
/** `POST /orders` allows thirty a minute and key. */
const ORDERS_PER_KEY = 30;
/** A refused request is repeated up to six times, as in production, but sooner. */
const SCHEDULE = '50ms,100ms,200ms,400ms,800ms,1s';
/** Each receiver responds with 500 to one of this many requests. */
const REFUSAL_INTERVAL = 5;
/** One refusal fewer than an event has repetitions, so every event arrives. */
const MAX_REFUSALS_PER_EVENT = 5;
/** Every third order is produced and shipped, so it has three events. */
const SHIPPING_INTERVAL = 3;
const ONE_MINUTE = 60_000;

interface WebhookAccount {
  account: TestAccount;
  keys: string[];
  receiver: WebhookReceiver;
  secret: string;
  refused: string[];
  /** Order id → its number of events. */
  expected: Map<string, number>;
}

describe(`${ORDERS} orders and endpoints that refuse one request in five`, () => {
  let service: TestService;
  let listeners: WebhookAccount[];

  beforeAll(async () => {
    const receivers = await Promise.all(Array.from({ length: ACCOUNTS }, startReceiver));
    service = await startService({
      env: {
        WEBHOOK_ALLOWED_ORIGINS: receivers.map(({ origin }) => origin).join(','),
        WEBHOOK_RETRY_SCHEDULE: SCHEDULE,
        LOG_LEVEL: 'warn',
      },
    });
    listeners = await Promise.all(receivers.map(aWebhookAccount));
  });
  afterAll(async () => {
    await service?.stop();
    for (const { receiver } of listeners ?? []) await receiver.close();
  });

  const sql = <T = any>(text: string): Promise<T[]> => service.deps.database.rows(text);

  async function aWebhookAccount(receiver: WebhookReceiver): Promise<WebhookAccount> {
    const { database } = service.deps;
    const account = await anAccount(database);
    const keys = await Promise.all(
      Array.from({ length: Math.ceil(ORDERS / ACCOUNTS / ORDERS_PER_KEY) }, () => aKey(database, account.accountId)),
    );
    const { secret } = await anEndpoint(database, account.accountId, receiver.url);
    const refused: string[] = [];
    receiver.respondWith(({ id }, response) => {
      const refuse =
        receiver.received.length % REFUSAL_INTERVAL === 0 && refused.filter((each) => each === id).length < MAX_REFUSALS_PER_EVENT;
      if (refuse) refused.push(id);
      response.writeHead(refuse ? 500 : 204).end();
    });
    return { account, keys, receiver, secret, refused, expected: new Map() };
  }

  async function placeAll({ account, keys, expected }: WebhookAccount, count: number): Promise<void> {
    const quotes = await createQuotes(service, account, count);
    await forEachLimited(quotes, Math.ceil(PLACING_CONCURRENCY / ACCOUNTS), async (quoteId, index) => {
      const reply = await placeOrder(service.trade(keys[Math.floor(index / ORDERS_PER_KEY)]), quoteId);
      if (reply.status !== 201) throw new Error(`order ${index}: ${reply.status} ${reply.text}`);
      const { orderId } = reply.json.data;
      const ships = index % SHIPPING_INTERVAL === 0;
      expected.set(orderId, ships ? 3 : 1);
      if (ships) await shipOrder(orderId);
    });
  }

  async function shipOrder(orderId: string): Promise<void> {
    const replies = [
      await service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'm1', type: 'production_started' }),
      await service.studio().post(`/orders/${orderId}/parcels`, { parcelId: 'p1', trackingNumber: 'T1' }),
    ];
    for (const { status, text } of replies) if (status >= 300) throw new Error(`${orderId}: ${status} ${text}`);
  }

  it('deliver every event signed, and repeat only refused ones', async () => {
    const counts = listeners.map((_, index) => Math.floor(ORDERS / ACCOUNTS) + (index < ORDERS % ACCOUNTS ? 1 : 0));
    const began = Date.now();
    await Promise.all(listeners.map((listener, index) => placeAll(listener, counts[index] ?? 0)));
    const placed = Date.now();
    const events = listeners.flatMap(({ expected }) => [...expected.values()]).reduce((sum, count) => sum + count, 0);
    await waitFor(
      'every delivery to end',
      async () => (await sql(`SELECT 1 FROM webhook_deliveries WHERE state = 'pending' LIMIT 1`)).length === 0,
      10 * ONE_MINUTE,
    );
    const ended = Date.now();

    expect(await sql('SELECT state, count(*) AS n FROM webhook_deliveries GROUP BY state')).toEqual([{ state: 'delivered', n: events }]);
    for (const { receiver, secret, refused, expected } of listeners) {
      expect(receiver.received.filter((each) => !isSignedBy(each, secret))).toEqual([]);
      expect(sequencesOf(receiver)).toEqual(
        new Map([...expected].map(([orderId, count]) => [orderId, Array.from({ length: count }, (_, index) => index + 1)])),
      );
      // Each event arrives once, and once more for each refusal.
      expect(countEach(receiver.received.map(({ id }) => id))).toEqual(countEach([...receiver.eventIds(), ...refused]));
      expect(findChangedBodies(receiver)).toEqual([]);
    }
    expect(
      await sql('SELECT DISTINCT consecutive_failures, state FROM webhook_endpoints JOIN webhook_endpoint_health ON endpoint_id = id'),
    ).toEqual([{ consecutive_failures: 0, state: 'enabled' }]);

    const requests = listeners.reduce((sum, { receiver }) => sum + receiver.received.length, 0);
    const refusals = listeners.reduce((sum, { refused }) => sum + refused.length, 0);
    expect(refusals).toBeGreaterThan(0);
    process.stderr.write(
      `webhook load: ${ORDERS} orders, ${events} events, ${requests} requests, ${refusals} of them refused; placed in ${formatSeconds(placed - began)}, all delivered ${formatSeconds(ended - placed)} later\n`,
    );
  });
});

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Order id → the different sequences received, sorted. */
function sequencesOf(receiver: WebhookReceiver): Map<string, number[]> {
  const found = new Map<string, Set<number>>();
  for (const { body } of receiver.received) {
    const { orderId } = body.data;
    found.set(orderId, (found.get(orderId) ?? new Set()).add(body.sequence));
  }
  return new Map([...found].map(([orderId, sequences]) => [orderId, [...sequences].toSorted((a, b) => a - b)]));
}

function countEach(ids: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
  return times;
}

function findChangedBodies(receiver: WebhookReceiver): string[] {
  const bodies = new Map<string, string>();
  return receiver.received
    .filter(({ id, rawBody }) => {
      const before = bodies.get(id) ?? rawBody;
      bodies.set(id, before);
      return before !== rawBody;
    })
    .map(({ id }) => id);
}
