import { NO_TIMEOUTS, type Sql } from '../../../src/db/database';
import type { Page } from '../../../src/db/keyset';
import { listAccounts } from '../../../src/db/repositories/account-list';
import { listOpenAttention } from '../../../src/db/repositories/attention';
import { listAudit } from '../../../src/db/repositories/audit';
import { listCreditNotes } from '../../../src/db/repositories/credit-notes';
import { listInvoices, type InvoiceListFilter } from '../../../src/db/repositories/invoices';
import { listPayments } from '../../../src/db/repositories/payments';
import { listAllRefunds } from '../../../src/db/repositories/refunds';
import { listStudioOrders } from '../../../src/db/repositories/studio-order-list';
import { listDeliveries, type DeliveryFilter } from '../../../src/db/repositories/webhook-deliveries';
import { DELIVERY_STATES } from '../../../src/domain/webhook-rules';
import { useDatabase } from '../../support/fixtures';

/** Deliveries of one environment: every sort, of every state, of all states, and of an error. */
const DELIVERIES: readonly DeliveryFilter[] = [
  ...(['newest', 'oldest'] as const).flatMap((sort) => [
    { sort },
    ...DELIVERY_STATES.map((state) => ({ sort, state })),
    { sort, errorCode: 'timeout' },
  ]),
  { sort: 'nextAttempt' },
  { sort: 'nextAttempt', state: 'pending' },
];

/** Lists over all accounts. */
const MONEY = [
  ['credit notes', listCreditNotes],
  ['payments', listPayments],
  ['refunds', listAllRefunds],
] as const;

/** Discourages sorting, so the planner sorts only without an index for the order. Then a page would cost the whole list. */
describe('a page of a sorted list', () => {
  const { database } = useDatabase(1, { timeouts: NO_TIMEOUTS });

  const live = { environment: 'live' } as const;
  const attention = { ...live, codes: null, accountId: null, from: null, to: null };
  const accountId = 'acc_1';
  const money = {
    ...live,
    accountId: null,
    from: null,
    before: null,
    reversedFrom: null,
    reversedBefore: null,
    isReversed: null,
    recordedFrom: null,
    source: null,
  };

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
        [`${name} of an account`, (sql, page) => list(sql, { ...money, accountId, oldestFirst }, page)],
        [`${name} of some days`, (sql, page) => list(sql, { ...money, from: new Date(0), before: new Date(), oldestFirst }, page)],
      ]),
    ),
    ['the audit log, the newest', (sql, page) => listAudit(sql, {}, page)],
    ['the audit log, the oldest', (sql, page) => listAudit(sql, { oldestFirst: true }, page)],
  ])('%s: starts at its cursor in an index', async (_name, list) => {
    for (const after of [null, { createdAt: new Date('2026-01-20T00:00:00Z'), id: '7' }]) {
      const plans = await database.transaction((sql) => plansOf(sql, (watched) => list(watched, { limit: 26, after })));
      expect(plans).toHaveLength(1);
      expect(plans.flat().map((node) => node['Node Type'])).not.toContainEqual(expect.stringMatching(/Sort/));
      if (after !== null) expect(plans.flat().map((node) => node['Index Cond'] ?? '')).toContainEqual(expect.stringContaining('ROW('));
    }
  });

  it('payments of an account and environment: each of the two indexes reads only those', async () => {
    const page = { limit: 26, after: null };
    const list = (sql: Sql) => listPayments(sql, { ...money, accountId, oldestFirst: false }, page);
    const read = conditionsOf(await database.transaction((sql) => plansOf(sql, list)), 'environment');
    expect(read).toEqual([expect.stringContaining('account_id'), expect.stringContaining('account_id')]);
  });

  const days = { reversedFrom: new Date(0), reversedBefore: new Date() };
  const invoices: InvoiceListFilter = {
    ...live,
    accountId: null,
    states: ['void'],
    issuedFrom: null,
    issuedBefore: null,
    dueFrom: null,
    dueBefore: null,
    paidIn: null,
    number: null,
    voidedFrom: new Date(0),
    voidedBefore: new Date(),
    sort: 'newest',
  };
  it.each<[string, string, (sql: Sql, page: Page) => Promise<unknown[]>]>([
    // Account payments and refunds are few: the studio enters each by hand.
    ['reversed credit notes', 'reversed_at', (sql, page) => listCreditNotes(sql, { ...money, ...days, oldestFirst: false }, page)],
    ['void invoices', 'voided_at', (sql, page) => listInvoices(sql, invoices, page)],
  ])('%s of some days: only those are read', async (_name, column, list) => {
    const plans = await database.transaction((sql) => plansOf(sql, (watched) => list(watched, { limit: 26, after: null }), ONLY_BITMAPS));
    expect(conditionsOf(plans, column)).not.toEqual([]);
  });

  it('reversed payments of orders, among many: only those are read', async () => {
    await database.transaction(async (sql) => {
      await sql.run('SET LOCAL session_replication_role = replica'); // payments without orders
      await sql.run(
        `INSERT INTO payments (order_id, id, account_id, environment, amount_cents, received_at, reversed_at, created_at)
         SELECT 'ord_' || n, 'p', 'acc_1', 'live', 1, now(), CASE WHEN n % 1000 = 0 THEN now() END, now() FROM generate_series(1, 5000) n`,
      );
      await sql.run('ANALYZE payments');
      const plans = await plansOf(
        sql,
        (watched) => listPayments(watched, { ...money, ...days, oldestFirst: false }, { limit: 26, after: null }),
        [],
      );
      expect(plans.flat()).toContainEqual(expect.objectContaining({ 'Index Name': 'payments_reversed' }));
    });
  });

  const conditionsOf = (plans: readonly PlanNode[][], column: string): string[] =>
    plans.flat().flatMap(({ 'Index Cond': condition }) => (condition?.includes(column) ? [condition] : []));

  const ALL_BUT_INDEXES = ['seqscan', 'bitmapscan', 'sort', 'incremental_sort', 'hashjoin', 'mergejoin'];
  const ONLY_BITMAPS = ['seqscan', 'indexscan', 'indexonlyscan']; // of the table without rows: by the most selective index

  async function plansOf(sql: Sql, list: (watched: Sql) => Promise<unknown[]>, without = ALL_BUT_INDEXES): Promise<PlanNode[][]> {
    for (const way of without) await sql.run(`SET LOCAL enable_${way} = off`);
    const plans: PlanNode[][] = [];
    const rows = async <T>(text: string, parameters?: unknown[]): Promise<T[]> => {
      const [plan] = await sql.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${text}`, parameters);
      plans.push(plan === undefined ? [] : nodesOf(plan['QUERY PLAN'][0].Plan));
      return [];
    };
    await list({ rows } as Sql);
    return plans;
  }
});

interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** Nodes of a plan without those that calculate one field of a row. */
function nodesOf(node: PlanNode): PlanNode[] {
  return node['Parent Relationship'] === 'SubPlan' ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
