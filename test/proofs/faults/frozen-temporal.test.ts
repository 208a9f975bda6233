import { expectRefusal } from '../../service/http/support';
import { aKey, anAccount } from '../../support/accounts';
import { anIdempotencyKeyHeader, anOrder, aQuote, placeOrder } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { expectSoon, waitFor } from '../../support/wait-for';
import type { Dependencies } from '../../../src/processes/dependencies';
import { copyQuote } from '../../support/row-copies';
import { repeatWhileOverloaded } from '../../support/repeat';
import { useStack } from './support/use-stack';
import { orderWorkflowId } from '../../../workflows/messages';

const ORDERS = 200;
const ORDERS_PER_KEY = 25;
/** Connections stay open without responses, which is the worst kind of outage. */
describe('Temporal frozen', () => {
  const stack = useStack(() => ({ env: { LOG_LEVEL: 'warn' } }));
  let deps: Dependencies;
  let account: Awaited<ReturnType<typeof anAccount>>;
  let trade: HttpClient;
  beforeAll(async () => {
    deps = await stack.dependencies();
    account = await anAccount(deps.database);
    trade = new HttpClient(stack.tradeUrl, account.testKey);
  });

  const countUnstarted = async () => (await deps.database.rows('SELECT 1 FROM orders WHERE workflow_checked_at IS NULL')).length as number;

  it(`${ORDERS} orders are placed, a cancel is refused and readiness reports it; afterwards every workflow starts and the cancel works`, async () => {
    const known = await anOrder(trade);
    await waitFor('its workflow', async () => (await countUnstarted()) === 0);
    const quotes = await copyQuote(deps.database, (await aQuote(trade)).quoteId, ORDERS);
    const keys = await Promise.all(Array.from({ length: ORDERS / ORDERS_PER_KEY }, () => aKey(deps.database, account.accountId)));
    const pid = stack.processOf('api')?.pid;
    const cancel = () => trade.post(`/orders/${known.orderId}/cancel`);

    expect(stack.freeze('temporal')).toBe(true);
    const cancelled = repeatWhileOverloaded(cancel); // a slow PostgreSQL is not what this tests
    await Promise.all(
      keys.map(async (key, lane) => {
        const client = new HttpClient(stack.tradeUrl, key);
        for (const quoteId of quotes.slice(lane * ORDERS_PER_KEY, (lane + 1) * ORDERS_PER_KEY)) {
          const header = anIdempotencyKeyHeader();
          const placed = await repeatWhileOverloaded(() => placeOrder(client, quoteId, header));
          expect(placed.status).toBe(201);
        }
      }),
    );
    expectRefusal(await cancelled, 503, 'SERVICE_UNAVAILABLE');
    // Later requests fail at once. Calls to Temporal itself wait for one second.
    // A busy API may take longer once.
    const refused = await waitFor('a cancel that fails sooner than a call to Temporal', () =>
      Promise.race([
        cancel().then((reply) => (reply.json.error?.code === 'OVERLOADED' ? null : reply)),
        deps.temporal.probe().then(
          () => null,
          () => null,
        ),
      ]),
    );
    expectRefusal(refused, 503, 'SERVICE_UNAVAILABLE');
    await expectSoon(() => stack.readiness()).toMatchObject({
      status: 200,
      checks: { database: 'ok', relay: 'ok', temporal: expect.not.stringMatching(/^ok$/), workers: expect.not.stringMatching(/^ok$/) },
    });
    expect((await trade.get(`/orders/${known.orderId}`)).json.data.status).toBe('received');
    expect(await countUnstarted()).toBeGreaterThan(0);

    await stack.thaw('temporal');
    await waitFor('every workflow is started', async () => (await countUnstarted()) === 0);
    await waitFor('the cancel works', async () => (await cancel()).json.data?.status === 'cancelled');
    const orders: { id: string }[] = await deps.database.rows('SELECT id FROM orders WHERE settled_at IS NULL');
    expect(orders).toHaveLength(ORDERS);
    await waitFor('all of them run', async () =>
      (await Promise.all(orders.map(({ id }) => deps.temporal.runs.isRunning(orderWorkflowId(id))))).every(Boolean),
    );
    await stack.whenReady();
    expect([stack.processOf('api')?.pid, stack.unexpectedExits]).toEqual([pid, []]);
  });
});
