import { loadConfig } from '../../../src/config/config';
import { createDependencies, type Dependencies } from '../../../src/processes/dependencies';
import { findFreePort } from '../../../scripts/start/ports';
import { startApi, type ApiProcess } from '../../../src/processes/api';
import { expectRefusal } from '../../service/http/support';
import { aKey, anAccount, type AccountOverrides } from '../../support/accounts';
import { anIdempotencyKeyHeader, aQuote, placeOrder } from '../../support/baskets';
import { HttpClient, type Reply } from '../../support/client';
import { anEndpoint } from '../../support/endpoints';
import { LONG_TIMEOUTS, startService, type TestService } from '../../support/service';
import { createQuotes } from '../../service/webhooks/support/quotes';

const RACERS = 50;
/** No key's rate limit decides a race. */
const KEYS = 5;

/** Sends all requests at once by HTTP, with several API keys of one account and two APIs that share only the database. */
describe(`${RACERS} racers`, () => {
  let service: TestService;
  let others: Dependencies;
  let other: ApiProcess;
  beforeAll(async () => {
    service = await startService();
    others = await createDependencies(loadConfig({ ...service.env, STORAGE_PORT: String(await findFreePort()) }), 'another', {
      logger: service.deps.logger,
      taskQueue: service.taskQueue,
      session: LONG_TIMEOUTS,
    });
    other = await startApi(others);
  });
  afterAll(async () => {
    await other?.close();
    await others?.close();
    await service?.stop();
  });

  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows(text, parameters);

  async function aRacingAccount(traits: AccountOverrides = {}) {
    const account = await anAccount(service.deps.database, traits);
    await anEndpoint(service.deps.database, account.accountId, 'http://127.0.0.1:9/never');
    const ports = [service.api.tradePort, other.tradePort];
    const trades = await Promise.all(
      Array.from(
        { length: KEYS },
        async (_, index) => new HttpClient(`http://127.0.0.1:${ports[index % 2]}/v1`, await aKey(service.deps.database, account.accountId)),
      ),
    );
    const race = (send: (trade: HttpClient, racer: number) => Promise<Reply>): Promise<Reply[]> =>
      Promise.all(Array.from({ length: RACERS }, (_, racer) => send(trades[racer % KEYS] as HttpClient, racer)));
    return { account, accountId: account.accountId, trade: trades[0] as HttpClient, race };
  }

  /** The stored rows of an account, and the numbers used so far. */
  async function readCounts(accountId: string) {
    const [counts] = await sql(
      `
      SELECT (SELECT count(*) FROM orders WHERE account_id = $1)::int AS orders, (SELECT count(*) FROM invoices WHERE account_id = $1)::int AS invoices,
        (SELECT count(*) FROM order_events WHERE account_id = $1)::int AS events, (SELECT count(*) FROM idempotency_records WHERE account_id = $1)::int AS records,
        (SELECT count(*) FROM quotes WHERE account_id = $1 AND consumed_at IS NOT NULL)::int AS spent,
        (SELECT count(*) FROM webhook_deliveries d JOIN orders o ON o.id = d.order_id WHERE o.account_id = $1)::int AS deliveries`,
      [accountId],
    );
    return counts;
  }
  const expectedCounts = (count: number) => ({
    orders: count,
    invoices: count,
    events: count,
    records: count,
    spent: count,
    deliveries: count,
  });

  /** The last numbers drawn, whether or not they were used. */
  async function readLastNumbers(): Promise<number[]> {
    const last = (series: string) =>
      sql(`SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END AS drawn FROM ${series}`).then(([found]) => Number(found.drawn));
    return [await last('order_numbers_test'), await last('invoice_numbers_test')];
  }
  const increaseAll = (numbers: number[], by: number) => numbers.map((number) => number + by);

  it('on one quote: one order, the others get its id, and no number is lost', async () => {
    const { accountId, trade, race } = await aRacingAccount();
    await placeOrder(trade, (await aQuote(trade)).quoteId);
    const [{ quoteId }, before] = [await aQuote(trade), await readLastNumbers()];
    const replies = await race((client) => placeOrder(client, quoteId));
    const winners = replies.filter(({ status }) => status === 201);
    expect(winners).toHaveLength(1);
    const orderId: unknown = winners[0]?.json.data.orderId;
    for (const reply of replies) if (reply !== winners[0]) expectRefusal(reply, 409, 'QUOTE_ALREADY_ORDERED', { orderId });
    expect(await readCounts(accountId)).toEqual(expectedCounts(2));
    expect(await readLastNumbers()).toEqual(increaseAll(before, 1));
  });

  it('on one Idempotency-Key: one order, and the others get the same bytes or a Retry-After', async () => {
    const { accountId, trade, race } = await aRacingAccount();
    await placeOrder(trade, (await aQuote(trade)).quoteId);
    const [{ quoteId }, before, header] = [await aQuote(trade), await readLastNumbers(), anIdempotencyKeyHeader()];
    const replies = await race((client) => placeOrder(client, quoteId, header));
    const bodies = new Set(replies.filter(({ status }) => status === 201).map(({ text }) => text));
    expect(bodies.size).toBe(1);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expectRefusal(reply, 409, 'IDEMPOTENCY_KEY_REUSED');
      expect(reply.headers['retry-after']).toBe('1');
    }
    expect((await placeOrder(trade, quoteId, header)).text).toBe([...bodies][0]);
    expect(await readCounts(accountId)).toEqual(expectedCounts(2));
    expect(await readLastNumbers()).toEqual(increaseAll(before, 1));
  });

  it.each([0, 1, 7])('on a credit limit that fits %i orders: exactly that number of orders, with consecutive numbers', async (admitted) => {
    const { account, accountId, trade, race } = await aRacingAccount();
    const { totalCents } = await aQuote(trade);
    const quotes = await createQuotes(service, account, RACERS);
    await sql('UPDATE accounts SET credit_limit_cents = $2 WHERE id = $1', [accountId, admitted * totalCents + totalCents - 1]);
    const before = await readLastNumbers();
    const watched: number[] = [];
    let racing = true;
    const watch = (async () => {
      while (racing) watched.push((await service.studio().get(`/accounts/${accountId}`)).json.data.test.outstandingCents);
    })();
    const replies = await race((client, racer) => placeOrder(client, quotes[racer] ?? ''));
    racing = false;
    await watch;
    const numbers = replies.filter(({ status }) => status === 201).map(({ json }) => json.data.orderNumber as string);
    expect(numbers).toHaveLength(admitted);
    for (const reply of replies.filter(({ status }) => status !== 201))
      expectRefusal(reply, 402, 'CREDIT_LIMIT_EXCEEDED', expect.anything());
    expect(Math.max(...watched)).toBeLessThanOrEqual(admitted * totalCents);
    expect(await readCounts(accountId)).toEqual(expectedCounts(admitted));
    expect(numbers.sort()).toEqual(Array.from({ length: admitted }, (_, index) => `T-${(before[0] ?? 0) + index + 1}`).sort());
    expect(await readLastNumbers()).toEqual(increaseAll(before, admitted));
  });
});
