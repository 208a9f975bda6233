import { oneBuyer, someOrders, someQuotes } from '../fixtures';
import { call, placeOrder } from '../http';
import { callsOf, compare, type Plan } from '../load';
import { comparisonRow, cpuNote, type Report } from '../report';
import type { Stage } from '../stage';

/** Reads allow 120 a minute, key and endpoint. */
const READS_PER_KEY = 100;
const ORDERS = 60;

/** Reads over HTTP against bare Koa handlers on pg that answer as much with one statement. */
export async function reads(stage: Stage, quick: boolean, report: Report): Promise<void> {
  const plan: Plan = { rounds: quick ? 2 : 5, perRound: quick ? 400 : 1000, concurrency: 16, warmUp: 300 };
  const keys = await oneBuyer(stage, Math.ceil(callsOf(plan) / READS_PER_KEY));
  const [buyer] = keys;
  if (buyer === undefined) throw new Error('no buyer');
  const [quoteId = ''] = await someQuotes(stage, [buyer], 1);
  const placed = JSON.parse(await placeOrder(stage, buyer.key, quoteId)) as { data: { orderId: string } };
  const ids = await someOrders(stage, buyer, placed.data.orderId, ORDERS);
  const order = (index: number): string => ids[index % ids.length] ?? '';

  const against = async (
    what: string,
    path: (index: number) => string,
    floorPath: (index: number) => string,
    throughput?: number,
  ): Promise<void> => {
    // Fresh budgets: the catalogue is measured twice.
    await stage.database.run('TRUNCATE rate_windows');
    const measured = await compare(
      plan,
      stage.cpu,
      async (index) =>
        void (await call(stage, {
          method: 'GET',
          url: stage.tradeUrl,
          path: path(index),
          credential: keys[index % keys.length]?.key ?? '',
        })),
      async (index) => void (await call(stage, { method: 'GET', url: stage.floorUrl, path: floorPath(index) })),
    );
    report.rows.push(comparisonRow(what, plan.concurrency, measured, throughput === undefined ? {} : { throughput }));
    report.notes.push(cpuNote(what, measured.ours), cpuNote('its floor', measured.floor));
  };
  await against(
    'GET /orders/{id}',
    (index) => `/v1/orders/${order(index)}`,
    (index) => `/order/${order(index)},${buyer.accountId}`,
    0.7,
  );
  await against(
    'GET /orders',
    () => '/v1/orders',
    () => `/orders/${buyer.accountId}`,
    0.7,
  );
  await against(
    'GET /catalogue (floor selects its rows)',
    () => '/v1/catalogue',
    () => '/catalogueRows',
    0.85,
  );
  await against(
    'GET /catalogue (floor selects the revision, text in memory)',
    () => '/v1/catalogue',
    () => '/catalogueText',
  );
}
