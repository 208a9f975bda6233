import { aTrader, type Trader } from '../../service/http/support';
import { anIdempotencyKeyHeader, placeOrder } from '../../support/baskets';
import { aKey } from '../../support/accounts';
import { anEndpoint } from '../../support/endpoints';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { startReceiver, type ReceivedWebhook, type WebhookReceiver } from '../../support/webhook-receiver';
import { createQuotes } from '../../service/webhooks/support/quotes';
import { startRelayProcess, type RelayProcess } from './support/relay-process';

/** Events of each account: the first ones are answered at once, so the relay claims more; then no request is answered. */
const PROMPT_EVENTS = 6;
const EVENTS = 30;
/** Concurrent attempts of a relay per endpoint. */
const MAX_IN_FLIGHT = 4;

/** One endpoint with its account and received requests by URL. */
interface Shop extends Trader {
  endpointId: string;
  receiver: WebhookReceiver;
  /** Responds to all waiting and later requests. */
  answer(): void;
  /** Responds to the `count` oldest waiting requests. */
  answerOldest(count: number, status: number): void;
}

describe('a relay that is paused with a claimed batch, and resumed', () => {
  let service: TestService;
  let receivers: WebhookReceiver[];
  let spares: WebhookReceiver[];
  let relays: RelayProcess[];

  beforeAll(async () => {
    receivers = await Promise.all(Array.from({ length: 9 }, startReceiver));
    spares = [...receivers];
    service = await startService({ worker: false, env: { WEBHOOK_ALLOWED_ORIGINS: receivers.map(({ origin }) => origin).join(',') } });
  });
  beforeEach(() => {
    relays = [];
  });
  afterEach(() => Promise.all(relays.map((relay) => relay.kill())));
  afterAll(async () => {
    await service?.stop();
    await Promise.all(receivers?.map((receiver) => receiver.close()) ?? []);
  });

  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows(text, parameters);
  const takeReceiver = (): WebhookReceiver => {
    const receiver = spares.pop();
    if (receiver === undefined) throw new Error('there are no more receivers');
    return receiver;
  };

  async function startRelay(): Promise<RelayProcess> {
    const relay = await startRelayProcess(service);
    relays.push(relay);
    return relay;
  }

  async function startShop(): Promise<Shop> {
    const [trader, receiver] = [await aTrader(service), takeReceiver()];
    let answering = false;
    const waiting: ((status?: number) => void)[] = [];
    receiver.respondWith((_, response) => {
      const answer = (status = 204): void => void response.writeHead(status).end();
      if (answering || receiver.received.length <= PROMPT_EVENTS) answer();
      else waiting.push(answer);
    });
    const { id } = await anEndpoint(service.deps.database, trader.accountId, receiver.url);
    return {
      ...trader,
      endpointId: id,
      receiver,
      answer() {
        answering = true;
        for (const answer of waiting.splice(0)) answer();
      },
      answerOldest(count, status) {
        for (const answer of waiting.splice(0, count)) answer(status);
      },
    };
  }

  async function place(shop: Shop, count: number): Promise<void> {
    for (const quoteId of await createQuotes(service, shop, count)) await placeQuote(shop, quoteId);
  }
  /** With a new key, because each key has a rate limit. */
  async function placeQuote({ accountId }: Shop, quoteId: string): Promise<void> {
    const trade = service.trade(await aKey(service.deps.database, accountId));
    expect((await placeOrder(trade, quoteId, anIdempotencyKeyHeader())).status).toBe(201);
  }

  const deliveries = (shop: Shop) =>
    sql<{ id: string; event_id: string; state: string; chain: number; attempts: number; claim: string; completed_at: Date }>(
      'SELECT id, event_id, state, chain, attempts, claim, completed_at FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY created_at, id',
      [shop.endpointId],
    );
  const areAllIn = async (shop: Shop, state: string) => (await deliveries(shop)).every((delivery) => delivery.state === state);

  /** On a slow machine a test takes longer than a lease. */
  const keepClaims = () => sql(`UPDATE webhook_deliveries SET claimed_until = now() + interval '1 hour' WHERE claimed_until > now()`);

  /** Shops, each with four unanswered POSTs and further claimed deliveries. */
  async function freezeRelayAtWork(shops: readonly Shop[]): Promise<(longerSeconds?: number) => Promise<void>> {
    await Promise.all(shops.map((shop) => place(shop, EVENTS)));
    const relay = await startRelay();
    for (const shop of shops) {
      await waitFor('four unanswered requests and more in the queue', async () => {
        const [rows] = await sql(
          `SELECT count(*) FILTER (WHERE state = 'pending' AND claimed_until > now())::int AS claimed, count(*) FILTER (WHERE state = 'delivered')::int AS delivered
          FROM webhook_deliveries WHERE endpoint_id = $1`,
          [shop.endpointId],
        );
        return (
          shop.receiver.received.length === PROMPT_EVENTS + MAX_IN_FLIGHT &&
          rows.delivered === PROMPT_EVENTS &&
          rows.claimed >= 2 * MAX_IN_FLIGHT
        );
      });
    }
    return relay.freeze();
  }

  /** The log of attempts contains every received POST, and nothing else. */
  async function expectEveryPostLogged(shop: Shop, ...heard: ReceivedWebhook[][]): Promise<void> {
    const posts = countBy(heard.flat().map(({ id }) => id));
    const logged = async () =>
      countBy(
        (
          await sql<{ event_id: string }>(
            'SELECT d.event_id FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1',
            [shop.endpointId],
          )
        ).map(({ event_id }) => event_id),
      );
    await waitFor(
      'every POST in the log once',
      async () => JSON.stringify([...(await logged())].sort()) === JSON.stringify([...posts].sort()),
    );
  }

  it('after its lease: another relay has delivered everything, and it changes no row and sends nothing', async () => {
    const [plain, moved, closed] = [await startShop(), await startShop(), await startShop()];
    const thaw = await freezeRelayAtWork([plain, moved, closed]);
    const elsewhere = takeReceiver();
    expect((await service.studio().send('PATCH', `/webhook-endpoints/${moved.endpointId}`, { url: elsewhere.url })).status).toBe(200);
    expect((await service.studio().post(`/webhook-endpoints/${closed.endpointId}/disable`, {})).status).toBe(200);
    await sql(`UPDATE webhook_deliveries SET claimed_until = now() WHERE claimed_until > now()`); // as after a minute
    for (const shop of [plain, moved, closed]) shop.answer();
    await startRelay();
    await waitFor(
      'everything delivered by another relay',
      async () => (await areAllIn(plain, 'delivered')) && (await areAllIn(moved, 'delivered')),
    );
    const before = await Promise.all([plain, moved].map(deliveries));
    const counts = [plain, moved, closed].map(({ receiver }) => receiver.received.length);

    await thaw(70);
    await waitFor(
      'the results of the POSTs in progress',
      async () =>
        (
          await sql('SELECT 1 FROM webhook_attempts WHERE endpoint_id = ANY ($1)', [
            [plain, moved, closed].map(({ endpointId }) => endpointId),
          ])
        ).length ===
        3 * (PROMPT_EVENTS + MAX_IN_FLIGHT) + 2 * (EVENTS - PROMPT_EVENTS),
    );
    await relays[1]?.kill();
    for (const shop of [plain, moved]) await place(shop, 1); // queued behind all claimed deliveries
    await waitFor('the delivery of new events', async () => (await areAllIn(plain, 'delivered')) && (await areAllIn(moved, 'delivered')));

    expect((await Promise.all([plain, moved].map(deliveries))).map((rows) => rows.slice(0, EVENTS))).toEqual(before);
    for (const rows of before) for (const row of rows) expect(row).toMatchObject({ state: 'delivered', chain: 1, attempts: 1 });
    expect([plain, moved, closed].map(({ receiver }) => receiver.received.length)).toEqual([(counts[0] ?? 0) + 1, counts[1], counts[2]]);
    expect(counts).toEqual([EVENTS + MAX_IN_FLIGHT, PROMPT_EVENTS + MAX_IN_FLIGHT, PROMPT_EVENTS + MAX_IN_FLIGHT]);
    expect(elsewhere.received).toHaveLength(EVENTS - PROMPT_EVENTS + 1);
    // POSTs in progress when their endpoint was disabled have delivered, unless the pause was longer than their timeout. The others are held.
    const states = countBy((await deliveries(closed)).map(({ state }) => state));
    const delivered = states.get('delivered') ?? 0;
    expect(delivered).toBeGreaterThanOrEqual(PROMPT_EVENTS);
    expect(delivered).toBeLessThanOrEqual(PROMPT_EVENTS + MAX_IN_FLIGHT);
    expect(states).toEqual(
      new Map([
        ['delivered', delivered],
        ['held', EVENTS - delivered],
      ]),
    );
    await expectEveryPostLogged(plain, plain.receiver.received);
    await expectEveryPostLogged(moved, moved.receiver.received, elsewhere.received);
    await expectEveryPostLogged(closed, closed.receiver.received);
  });

  it('after its lease: late responses are only logged while another relay sends them', async () => {
    const shop = await startShop();
    const thaw = await freezeRelayAtWork([shop]);
    const sent = shop.receiver.received.slice(PROMPT_EVENTS).map(({ id }) => id);
    await sql(`UPDATE webhook_deliveries SET claimed_until = now() WHERE event_id = ANY ($1)`, [sent]); // as after a minute
    await startRelay();
    await waitFor('the same ones sent by another relay', async () => shop.receiver.received.length === PROMPT_EVENTS + 2 * MAX_IN_FLIGHT);
    expect(
      shop.receiver.received
        .slice(PROMPT_EVENTS + MAX_IN_FLIGHT)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...sent].sort());
    await keepClaims();
    const deliveryStates = () =>
      sql(
        `SELECT id, state, attempts, claim, claimed_until, claimed_until > now() AS claimed FROM webhook_deliveries WHERE event_id = ANY ($1) ORDER BY id`,
        [sent],
      );
    const before = await deliveryStates();
    for (const row of before) expect(row).toMatchObject({ state: 'pending', attempts: 0, claimed: true });
    shop.answerOldest(MAX_IN_FLIGHT, 500);
    await thaw(70);
    await waitFor(
      'it is in the log',
      async () =>
        (await sql('SELECT 1 FROM webhook_attempts WHERE endpoint_id = $1 AND NOT ok', [shop.endpointId])).length === MAX_IN_FLIGHT,
    );
    expect(await deliveryStates()).toEqual(before);
    shop.answer();
    await waitFor('the other relay to deliver them', async () =>
      (await deliveryStates()).every(({ state, attempts }) => state === 'delivered' && attempts === 1),
    );
    const logged = await sql(
      'SELECT d.event_id, a.ok FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.event_id = ANY ($1) ORDER BY a.id',
      [sent],
    );
    expect(countBy(logged.map(({ ok }) => String(ok)))).toEqual(
      new Map([
        ['false', MAX_IN_FLIGHT],
        ['true', MAX_IN_FLIGHT],
      ]),
    );
  });

  it('within its lease: it continues with its claimed deliveries, only to the new URL and not to disabled endpoints', async () => {
    const [plain, moved, closed] = [await startShop(), await startShop(), await startShop()];
    const thaw = await freezeRelayAtWork([plain, moved, closed]);
    await keepClaims();
    const elsewhere = takeReceiver();
    expect((await service.studio().send('PATCH', `/webhook-endpoints/${moved.endpointId}`, { url: elsewhere.url })).status).toBe(200);
    expect((await service.studio().post(`/webhook-endpoints/${closed.endpointId}/disable`, {})).status).toBe(200);
    for (const shop of [plain, moved, closed]) shop.answer();
    await thaw(5);
    await waitFor('everything delivered', async () => (await areAllIn(plain, 'delivered')) && (await areAllIn(moved, 'delivered')));
    await waitFor(
      'the records of the POSTs in progress',
      async () => (await deliveries(closed)).filter(({ state }) => state === 'delivered').length === PROMPT_EVENTS + MAX_IN_FLIGHT,
    );
    // After enabling, new events are queued behind all claimed ones.
    expect((await service.studio().post(`/webhook-endpoints/${closed.endpointId}/enable`, { skipPing: true })).status).toBe(200);
    const old = new Set((await deliveries(closed)).map(({ event_id }) => event_id));
    const quotes = await createQuotes(service, closed, 500);
    await waitFor('a new one', async () => {
      await placeQuote(closed, quotes.pop() ?? '');
      return closed.receiver.received.some(({ id }) => !old.has(id));
    });
    expect([plain, moved].map(({ receiver }) => receiver.received.length)).toEqual([EVENTS, PROMPT_EVENTS + MAX_IN_FLIGHT]);
    expect(closed.receiver.received.filter(({ id }) => old.has(id))).toHaveLength(PROMPT_EVENTS + MAX_IN_FLIGHT);
    expect(elsewhere.received).toHaveLength(EVENTS - PROMPT_EVENTS - MAX_IN_FLIGHT);
    expect(countBy((await deliveries(closed)).slice(0, EVENTS).map(({ state }) => state))).toEqual(
      new Map([
        ['delivered', PROMPT_EVENTS + MAX_IN_FLIGHT],
        ['held', EVENTS - PROMPT_EVENTS - MAX_IN_FLIGHT],
      ]),
    );
    await expectEveryPostLogged(plain, plain.receiver.received);
    await expectEveryPostLogged(moved, moved.receiver.received, elsewhere.received);
  });
});

function countBy(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
