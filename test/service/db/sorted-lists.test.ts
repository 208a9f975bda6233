import { openDatabase, PATIENT, type Database, type Sql } from '../../../src/db/database';
import type { Page } from '../../../src/db/keyset';
import { listAccounts } from '../../../src/db/repositories/account-list';
import { listOpenAttention } from '../../../src/db/repositories/attention';
import { listAudit } from '../../../src/db/repositories/audit';
import { listCreditNotes } from '../../../src/db/repositories/credit-notes';
import { listPayments } from '../../../src/db/repositories/payments';
import { listAllRefunds } from '../../../src/db/repositories/refunds';
import { listStudioOrders } from '../../../src/db/repositories/studio-order-list';
import { listDeliveries, type DeliveryFilter } from '../../../src/db/repositories/webhook-deliveries';
import { DELIVERY_STATES } from '../../../src/domain/webhook-rules';
import { createDatabase, type TestDatabase } from '../../support/database';

/** Deliveries of one environment: every sort, of every state and of none, and of an error. */
const DELIVERIES: readonly DeliveryFilter[] = [
  ...(['newest', 'oldest'] as const).flatMap((sort) => [
    { sort },
    ...DELIVERY_STATES.map((state) => ({ sort, state })),
    { sort, errorCode: 'timeout' },
  ]),
  { sort: 'nextAttempt' },
  { sort: 'nextAttempt', state: 'pending' },
];

/** Across accounts. */
const MONEY = [
  ['credit notes', listCreditNotes],
  ['payments', listPayments],
  ['refunds', listAllRefunds],
] as const;

/** The planner is asked to sort nothing, so that it does only where no index has the order: then a page would cost the whole list. */
describe('a page of a sorted list', () => {
  let own: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    own = await createDatabase();
    database = await openDatabase(own.url, 1, PATIENT);
  });
  afterAll(async () => {
    await database?.close();
    await own?.drop();
  });

  const live = { environment: 'live' } as const;
  const attention = { ...live, codes: null, accountId: null, from: null, to: null };
  const accountId = 'acc_1';
  const money = { ...live, accountId: null, from: null, before: null, reversedFrom: null, reversedBefore: null };

  it.each<[string, (sql: Sql, page: Page) => Promise<unknown[]>]>([
    ['orders, the newest', (sql, page) => listStudioOrders(sql, { ...live }, page)],
    ['orders, the oldest', (sql, page) => listStudioOrders(sql, { ...live, sort: 'oldest' }, page)],
    ['orders of a status, the oldest', (sql, page) => listStudioOrders(sql, { ...live, status: 'completed', sort: 'oldest' }, page)],
    ['orders of an account, the oldest', (sql, page) => listStudioOrders(sql, { ...live, accountId, sort: 'oldest' }, page)],
    ['orders, the soonest due', (sql, page) => listStudioOrders(sql, { ...live, sort: 'dueDate' }, page)],
    ['accounts, the newest', (sql, page) => listAccounts(sql, { sort: 'newest' }, page)],
    ['accounts, by name', (sql, page) => listAccounts(sql, { sort: 'name' }, page)],
    ...DELIVERIES.map((filter): [string, (sql: Sql, page: Page) => Promise<unknown[]>] => [
      `live deliveries, ${JSON.stringify(filter)}`,
      (sql, page) => listDeliveries(sql, { ...live, ...filter }, page),
    ]),
    ['attention, the oldest', (sql, page) => listOpenAttention(sql, { ...attention, newestFirst: false }, page)],
    ['attention, the newest', (sql, page) => listOpenAttention(sql, { ...attention, newestFirst: true }, page)],
    ...MONEY.flatMap(([name, list]) =>
      [false, true].flatMap((oldestFirst): [string, (sql: Sql, page: Page) => Promise<unknown[]>][] => [
        [`${name}, ${oldestFirst ? 'the oldest' : 'the newest'}`, (sql, page) => list(sql, { ...money, oldestFirst }, page)],
        [`${name} of some days`, (sql, page) => list(sql, { ...money, from: new Date(0), before: new Date(), oldestFirst }, page)],
      ]),
    ),
    ['the audit log, the newest', (sql, page) => listAudit(sql, {}, page)],
    ['the audit log, the oldest', (sql, page) => listAudit(sql, { oldestFirst: true }, page)],
  ])('%s: begins at its mark in an index', async (_name, list) => {
    for (const after of [null, { createdAt: new Date('2026-01-20T00:00:00Z'), id: '7' }]) {
      const plans = await database.transaction((sql) => plansOf(sql, (watched) => list(watched, { limit: 26, after })));
      expect(plans).toHaveLength(1);
      expect(plans.flat().map((node) => node['Node Type'])).not.toContainEqual(expect.stringMatching(/Sort/));
      if (after !== null) expect(plans.flat().map((node) => node['Index Cond'] ?? '')).toContainEqual(expect.stringContaining('ROW('));
    }
  });

  async function plansOf(sql: Sql, list: (watched: Sql) => Promise<unknown[]>): Promise<PlanNode[][]> {
    for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort', 'hashjoin', 'mergejoin'])
      await sql.run(`SET LOCAL enable_${way} = off`);
    const plans: PlanNode[][] = [];
    const rows = async <T>(text: string, parameters?: unknown[]): Promise<T[]> => {
      const [plan] = await sql.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${text}`, parameters);
      plans.push(plan === undefined ? [] : nodesOf(plan['QUERY PLAN'][0].Plan));
      return [];
    };
    await list({ row: async () => null, run: async () => undefined, rows });
    return plans;
  }
});

interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** Without those that work out one field of a row. */
function nodesOf(node: PlanNode): PlanNode[] {
  return node['Parent Relationship'] === 'SubPlan' ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
