import { TIMEOUTS } from '../../../src/db/database';
import { QueueOverloaded } from '../../../src/runtime/keyed-queue';
import { aTrader, expectRefusal, type Trader } from '../../service/http/support';
import { anIdempotencyKeyHeader, anOrder, aQuote, aQuoteRequest, placeOrder } from '../../support/baskets';
import { holdLock, type HeldLock } from '../../support/held-lock';
import { startService, type TestService } from '../../support/service';
import { LOCAL_ACTIVITY_TIMEOUT_MS } from '../../../workflows/messages';
import { waitFor } from '../../support/wait-for';
import { repeatWhileOverloaded } from '../../support/repeat';

/** The number of requests that the rate limits allow. */
const ROUNDS = 12;

/** An external transaction locks an account's row and does not end, as in a forgotten database client or a paused process. */
describe("an account's row that stays locked", () => {
  let service: TestService;
  let lock: HeldLock | null = null;
  let stuck: Trader;
  let other: Trader;
  beforeAll(async () => {
    service = await startService({ timeouts: TIMEOUTS });
    [stuck, other] = [await aTrader(service), await aTrader(service)];
  });
  afterAll(async () => {
    await lock?.release();
    await service?.stop();
  });

  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows(text, parameters);
  const countStoredOrders = async ({ accountId }: Trader) =>
    (
      await sql(
        `
    SELECT (SELECT count(*) FROM orders WHERE account_id = $1)::int AS orders, (SELECT count(*) FROM idempotency_records WHERE account_id = $1)::int AS records,
      (SELECT count(*) FROM quotes WHERE account_id = $1 AND consumed_at IS NOT NULL)::int AS spent, (SELECT count(*) FROM order_events WHERE account_id = $1)::int AS events`,
        [accountId],
      )
    )[0];
  /** Connections of this database that wait for a lock. */
  const countLockWaits = async () =>
    (
      await sql<{ count: number }>(
        `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event <> 'object'`,
      )
    )[0]?.count ?? 0;

  it('refuses a waiting change before its local activity times out', async () => {
    const { accountWriteQueue } = service.deps;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const slots = [1, 2].map(() => accountWriteQueue.run('account', () => released));
    const refusal = await accountWriteQueue.run('account', async () => 'took its turn').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(QueueOverloaded);
    const [, waitedMs] = /^the task waited (\d+) ms$/.exec((refusal as QueueOverloaded).message) ?? [];
    expect(Number(waitedMs)).toBeLessThan(LOCAL_ACTIVITY_TIMEOUT_MS);
    release();
    await Promise.all(slots);
  });

  it("delays only that account's orders, which use two connections, and leaves no order half written", async () => {
    const quotes = await Promise.all(Array.from({ length: 4 }, async () => (await aQuote(stuck.trade)).quoteId as string));
    const keys = quotes.map(() => anIdempotencyKeyHeader());
    const known = await anOrder(stuck.trade);
    const [ownRequest, otherRequest] = [await aQuoteRequest(stuck.trade), await aQuoteRequest(other.trade)];
    const quoteAndOrder = async (): Promise<number[]> => {
      const quote = await other.trade.post('/quotes', otherRequest);
      return [quote.status, (await placeOrder(other.trade, quote.json.data?.quoteId ?? '')).status];
    };
    const before = await countStoredOrders(stuck);
    lock = await holdLock(service.deps.database, 'UPDATE accounts SET trade_discount_bps = trade_discount_bps WHERE id = $1', [
      stuck.accountId,
    ]);
    let over = false;
    const refused = Promise.all(quotes.map((quoteId, index) => placeOrder(stuck.trade, quoteId, keys[index]))).finally(() => (over = true));
    await waitFor('its orders wait', async () => (await countLockWaits()) === 2);

    const most: number[] = [];
    const outcomes = new Set<string>();
    let round = 0;
    do {
      round += 1;
      const answers = await Promise.all([
        quoteAndOrder().then((statuses) => `another account's quote and order: ${statuses}`),
        stuck.trade.get(`/orders/${known.orderId}`).then(({ status }) => `its order: ${status}`),
        stuck.trade.get('/orders').then(({ status }) => `its orders: ${status}`),
        stuck.trade.post('/quotes', ownRequest).then(({ status }) => `its quote: ${status}`),
        service
          .studio()
          .post(`/orders/${known.orderId}/milestones`, { milestoneId: 'm-1', type: 'printed' })
          .then(({ status }) => `its milestone: ${status}`),
      ]);
      for (const answer of answers) outcomes.add(answer);
      most.push(await countLockWaits());
    } while (!over && round < ROUNDS);
    for (const reply of await refused) expectRefusal(reply, 503, 'OVERLOADED');
    expect([...outcomes].sort()).toEqual([
      "another account's quote and order: 201,201",
      'its milestone: 200',
      'its order: 200',
      'its orders: 200',
      'its quote: 201',
    ]);
    expect(Math.max(...most)).toBeLessThanOrEqual(2);
    expect(await countStoredOrders(stuck)).toEqual(before);

    await lock.release();
    for (const [index, quoteId] of quotes.entries())
      expect((await repeatWhileOverloaded(() => placeOrder(stuck.trade, quoteId, keys[index]))).status).toBe(201);
    expect(await countStoredOrders(stuck)).toEqual({ orders: 5, records: 5, spent: 5, events: before.events + 4 });
  });
});
