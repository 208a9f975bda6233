import { openDatabase, NO_TIMEOUTS, type Database, type Sql } from '../../../src/db/database';
import { findOrderById, listOrders, type OrderFilter } from '../../../src/db/repositories/orders';
import { anOrder } from '../../support/baskets';
import { copyRow } from '../../support/row-copies';
import { startService, type TestService } from '../../support/service';

/** What `GET /orders` asks of an account with many orders reads few of them: what it finds, and not what it looks through. */
describe('the orders of a large account', () => {
  const ORDERS = 20_000;
  let service: TestService;
  let patient: Database;
  beforeAll(async () => {
    service = await startService();
    patient = await openDatabase(service.deps.config.databaseUrl, 1, NO_TIMEOUTS);
    const { orderId } = await anOrder(service.trade(service.account.testKey));
    const order = await findOrderById(patient, orderId);
    for (const table of ['quotes', 'orders'] as const) {
      const id = table === 'quotes' ? (order?.quote_id ?? '') : orderId;
      const copies = Array.from({ length: ORDERS }, (_, at) => ({
        id: `${table}_${at}`,
        created_at: new Date(1_767_225_600_000 + at * 60_000),
        lines: [{ ...order?.lines[0], externalReference: `ref-${at}` }],
        ...(table === 'orders'
          ? { quote_id: `quotes_${at}`, order_number: `T-copy-${at}`, status: at === 7 ? 'on_hold' : 'completed' }
          : {}),
      }));
      await copyRow(patient, table, id, copies);
    }
    await patient.run('ANALYZE orders');
  }, 120_000);
  afterAll(async () => {
    await patient.close();
    await service.stop();
  });

  /** How many rows of orders the statement visits, as EXPLAIN ANALYZE counts them. */
  async function countVisitedRows(filter: OrderFilter): Promise<number> {
    let rows = 0;
    const watched = {
      rows: async <T>(text: string, parameters?: unknown[]): Promise<T[]> => {
        const [plan] = await patient.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, parameters);
        rows = plan === undefined ? 0 : visitedRowsOf(plan['QUERY PLAN'][0].Plan);
        return patient.rows<T>(text, parameters);
      },
    } as Sql;
    const found = await listOrders(watched, { accountId: service.account.accountId, environment: 'test' }, filter, {
      limit: 26,
      after: null,
    });
    expect(found.length).toBeGreaterThan(0);
    return rows;
  }

  it.each<[string, OrderFilter]>([
    ['a status that few have', { status: 'on_hold' }],
    ['a status that nearly all have', { status: 'completed' }],
    ['a reference', { externalReference: 'ref-7' }],
    ['a reference and a status', { externalReference: 'ref-8', status: 'completed' }],
    ['some minutes long ago', { createdAfter: '2026-01-01T00:00:00.000Z', createdBefore: '2026-01-01T00:20:00.000Z' }],
  ])('%s: reads no more than a page', async (_name, filter) => {
    expect(await countVisitedRows(filter)).toBeLessThanOrEqual(30);
  });
});

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

function visitedRowsOf(node: PlanNode): number {
  const own = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const below = (node.Plans ?? []).map(visitedRowsOf);
  return (node['Relation Name'] === 'orders' ? own * node['Actual Loops'] : 0) + below.reduce((sum, rows) => sum + rows, 0);
}
