import { openDatabase, NO_TIMEOUTS, type Database, type Sql } from '../../../src/db/database';
import { countByStatus, countDueByDay } from '../../../src/db/repositories/order-counts';
import { hasTerms, toSearchForm } from '../../../src/db/repositories/order-search';
import { searchTerms } from '../../../src/domain/search-text';
import { findOrderById, listOrders, type OrderFilter } from '../../../src/db/repositories/orders';
import { anOrder } from '../../support/baskets';
import { copyRow } from '../../support/row-copies';
import { startService, type TestService } from '../../support/service';

/** `GET /orders` of an account with many orders reads only the rows that it returns, and does not scan others. */
describe('the orders of a large account', () => {
  const ORDERS = 4_000;
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
        reference: at % 2 === 0 ? 'the default' : `PO-${at}`,
        ...(table === 'orders'
          ? { quote_id: `quotes_${at}`, order_number: `T-copy-${at}`, status: at === 7 ? 'on_hold' : 'completed' }
          : {}),
      }));
      await copyRow(patient, table, id, copies);
    }
    await patient.run('ANALYZE orders');
  });
  afterAll(async () => {
    await patient.close();
    await service.stop();
  });

  /** Rows of orders that the statement of `read` visits, from EXPLAIN ANALYZE. It must return rows. */
  async function countVisitedRows(read: (sql: Sql) => Promise<unknown[]>): Promise<number> {
    let rows = 0;
    const watched = {
      rows: async <T>(text: string, parameters?: unknown[]): Promise<T[]> => {
        const [plan] = await patient.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, parameters);
        rows = plan === undefined ? 0 : visitedRowsOf(plan['QUERY PLAN'][0].Plan);
        return patient.rows<T>(text, parameters);
      },
    } as Sql;
    expect((await read(watched)).length).toBeGreaterThan(0);
    return rows;
  }

  it.each<[string, OrderFilter]>([
    ['a rare status', { status: 'on_hold' }],
    ['a frequent status', { status: 'completed' }],
    ['a purchase order number', { reference: 'PO-7' }],
    ['a reference of most orders', { reference: 'the default' }],
    ['a reference', { externalReference: 'ref-7' }],
    ['a reference and a status', { externalReference: 'ref-8', status: 'completed' }],
    ['some minutes long ago', { createdAfter: '2026-01-01T00:00:00.000Z', createdBefore: '2026-01-01T00:20:00.000Z' }],
  ])('%s: reads at most one page', async (_name, filter) => {
    const account = { accountId: service.account.accountId, environment: 'test' as const };
    expect(await countVisitedRows((sql) => listOrders(sql, account, filter, { limit: 26, after: null }))).toBeLessThanOrEqual(30);
  });

  it.each(['ref-1234', 'customer 1234-ref', '1234 ref-1234 ada', 'xq zv', '+61 412 345 678', '9,999.50'])(
    'a search for “%s” reads only the texts that trigrams find',
    async (q) => {
      const parameters: unknown[] = [];
      const terms = searchTerms(await toSearchForm(patient, q));
      const condition = hasTerms('s.text', terms, (value) => `$${parameters.push(value)}`);
      const visited = await patient.transaction(async (sql) => {
        await sql.run('SET LOCAL enable_seqscan = off');
        const [plan] = await sql.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) SELECT FROM order_search s WHERE ${condition}`,
          parameters,
        );
        return plan === undefined ? Number.NaN : visitedRowsOf(plan['QUERY PLAN'][0].Plan, 'order_search');
      });
      expect(visited).toBeLessThanOrEqual(2);
    },
  );

  it("today's figures read only the orders that they count", async () => {
    const due = await patient.value<string>(`SELECT due_date FROM orders WHERE status = 'received'`);
    const days = await countDueByDay(patient, 'test', due, '2099-12-31');
    expect(days.filter(({ orders }) => orders > 0)).toEqual([{ day: due, orders: 2 }]);
    expect(await countVisitedRows((sql) => countDueByDay(sql, 'test', due, due))).toBe(2);
    expect(await countVisitedRows((sql) => countByStatus(sql, 'test', ['received', 'on_hold']))).toBe(2);
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

function visitedRowsOf(node: PlanNode, relation = 'orders'): number {
  const own = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const below = (node.Plans ?? []).map((plan) => visitedRowsOf(plan, relation));
  return (node['Relation Name'] === relation ? own * node['Actual Loops'] : 0) + below.reduce((sum, rows) => sum + rows, 0);
}
