import { createWebhookSender } from '../../../src/webhooks/send';
import { anAccount, aKey, type TestAccount } from '../../support/accounts';
import { placeOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';
import { findTimerEnds } from './support/delivery-timers';
import { forEachLimited, createQuotes } from './support/quotes';

/** Concurrent attempts of one worker for one endpoint. */
const MAX_IN_FLIGHT = 4;
const BACKLOG = 60;
const GOOD_ENDPOINTS = 20;
const ORDERS_PER_KEY = 30;

/** An endpoint that accepts requests and responds after a release. It counts concurrent requests. */
function holdResponses(receiver: WebhookReceiver, status = 204) {
  let open = 0;
  const state = { most: 0, ended: 0 };
  const waiting: (() => void)[] = [];
  let hanging = true;
  receiver.respondWith((_, response) => {
    open += 1;
    state.most = Math.max(state.most, open);
    response.once('close', () => {
      open -= 1;
      state.ended += 1;
    });
    const answer = (): void => void response.writeHead(status).end();
    if (hanging) waiting.push(answer);
    else setImmediate(answer);
  });
  return {
    state,
    letGo(): void {
      hanging = false;
      for (const answer of waiting.splice(0)) answer();
    },
  };
}

describe('an endpoint that hangs', () => {
  let hanging: WebhookReceiver;
  let good: WebhookReceiver[];
  let service: TestService;

  beforeAll(async () => {
    [hanging, ...good] = (await Promise.all(Array.from({ length: 1 + GOOD_ENDPOINTS }, startReceiver))) as [
      WebhookReceiver,
      ...WebhookReceiver[],
    ];
    const allowedOrigins = [hanging, ...good].map(({ origin }) => origin);
    // No attempt at the hanging endpoint times out, so the result does not depend on time.
    service = await startService({
      worker: false,
      webhookSender: createWebhookSender({ allowedOrigins, timeoutMs: 50_000 }),
      env: { WEBHOOK_RETRY_SCHEDULE: '1h' },
    });
  });
  afterAll(async () => {
    for (const receiver of [hanging, ...good]) await receiver.close();
    await service.stop();
  });

  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows(text, parameters);
  const deliveriesTo = (endpointId: string, state: string) =>
    sql('SELECT id, attempts FROM webhook_deliveries WHERE endpoint_id = $1 AND state = $2', [endpointId, state]);

  async function placeOrders(account: TestAccount, count: number): Promise<void> {
    const keys = await Promise.all(
      Array.from({ length: Math.ceil(count / ORDERS_PER_KEY) }, () => aKey(service.deps.database, account.accountId)),
    );
    await forEachLimited(await createQuotes(service, account, count), 6, async (quoteId, index) => {
      const reply = await placeOrder(service.trade(keys[Math.floor(index / ORDERS_PER_KEY)]), quoteId);
      if (reply.status !== 201) throw new Error(`order ${index}: ${reply.status} ${reply.text}`);
    });
  }

  it('gets four concurrent requests for any queue, delays no other endpoint, and gets the rest when it responds', async () => {
    const { database } = service.deps;
    const { state, letGo } = holdResponses(hanging);
    const slow = await anEndpoint(database, service.account.accountId, hanging.url);
    await placeOrders(service.account, BACKLOG);
    const neighbours = await Promise.all(
      good.map(async (receiver) => {
        const account = await anAccount(database);
        await anEndpoint(database, account.accountId, receiver.url);
        return account;
      }),
    );
    for (const account of neighbours) await placeOrders(account, 1);
    // The hanging requests end before their lease does, however long placing takes.
    await service.startWorker();
    await hanging.waitFor(MAX_IN_FLIGHT);
    for (const receiver of good) await receiver.waitFor(1);
    await waitFor(
      "the good endpoints' deliveries",
      async () => (await sql(`SELECT 1 FROM webhook_deliveries WHERE state = 'delivered'`)).length === GOOD_ENDPOINTS,
    );

    // All of this happened between the hanging endpoint's first four requests and the end of any of them.
    expect(state.ended).toBe(0);
    expect(hanging.received).toHaveLength(MAX_IN_FLIGHT);
    const backlog = await deliveriesTo(slow.id, 'pending');
    expect(backlog).toHaveLength(BACKLOG);
    expect(backlog.every(({ attempts }) => attempts === 0)).toBe(true);

    letGo();
    await waitFor('the backlog', async () => (await deliveriesTo(slow.id, 'delivered')).length === BACKLOG);
    expect(state.most).toBe(MAX_IN_FLIGHT);
    expect(hanging.eventIds().size).toBe(BACKLOG);
    expect(hanging.received).toHaveLength(BACKLOG);
  });

  it('is retried by the schedule after an attempt that waited for capacity, counted from that attempt', async () => {
    const receiver = good[0] as WebhookReceiver;
    const { letGo } = holdResponses(receiver, 500);
    const account = await anAccount(service.deps.database);
    const { id: endpointId } = await anEndpoint(service.deps.database, account.accountId, receiver.url);
    await placeOrders(account, MAX_IN_FLIGHT + 1);
    await receiver.waitFor(MAX_IN_FLIGHT + 1); // one request arrived before this test
    letGo();
    const attempts = await waitFor('the attempt that waited', async () => {
      const found = await sql<{ at: Date; next: Date; id: string }>(
        'SELECT at, next_attempt_at AS next, delivery_id AS id FROM webhook_attempts WHERE endpoint_id = $1 ORDER BY at',
        [endpointId],
      );
      return found.length === MAX_IN_FLIGHT + 1 && found;
    });
    for (const { at, next } of attempts) expect(next.getTime() - at.getTime()).toBe(60 * 60_000);
    const last = attempts.at(-1);
    const final = await waitFor('the timer of the second attempt', async () => (await findTimerEnds(service, last?.id ?? ''))[0]);
    expect(final).toBeGreaterThanOrEqual((last?.next.getTime() ?? 0) - 1);
  });
});
