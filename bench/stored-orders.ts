import { anOrder } from '../test/support/baskets';
import { derivedIdSql, insertCopies, withoutIndexes, type RowCopies } from './copies';
import { createBuyers, tradeClientOf, type Buyer } from './fixtures';
import type { Stage } from './stage';

/** A database with a year of settled orders. */
export interface StoredOrders {
  count: number;
  /** This account has 30 % of the orders. */
  largest: Buyer;
}

const ORDERS = 1_000_000;
const SMOKE_ORDERS = 2_000;
const DAYS = 365;
const ACCOUNTS = 200;

const loadingByStage = new WeakMap<Stage, Promise<StoredOrders>>();

/** Loads the orders once per run. */
export function ensureStoredOrders(stage: Stage, isSmoke: boolean): Promise<StoredOrders> {
  const orders = loadingByStage.get(stage) ?? loadOrders(stage, isSmoke);
  loadingByStage.set(stage, orders);
  return orders;
}

/** Inserts each order with its quote, invoice and search text. Two sessions use two cores. */
async function loadOrders(stage: Stage, isSmoke: boolean): Promise<StoredOrders> {
  const [count, accounts] = isSmoke ? [SMOKE_ORDERS, 4] : [ORDERS, ACCOUNTS];
  const buyers = (await createBuyers(stage, accounts + 1)) as [Buyer, ...Buyer[]];
  const [largest, ...others] = buyers;
  const { orderId } = (await anOrder(tradeClientOf(stage, largest.key))) as { orderId: string };
  await stage.waitUntilIdle();
  const startedAt = performance.now();
  const insert = async (...tables: RowCopies[]): Promise<void> => {
    for (const copies of tables) await insertCopies(stage, count, copies, withoutIndexes);
  };
  const [orders, texts, quotes, invoices] = copiesOfOrder(orderId, count, accountSql(largest, others));
  await Promise.all([insert(orders, invoices), insert(texts, quotes)]);
  await stage.database.run('VACUUM ANALYZE orders, order_search, quotes, invoices');
  await stage.database.run('CHECKPOINT');
  console.log(`[bench] loaded ${count.toLocaleString('en')} orders in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return { count, largest };
}

/** Search texts that few of the million orders contain, for the n-th order. */
export const SEARCH_TEXTS: readonly ((n: number) => string)[] = [
  (n) => `po-${n * 7}`,
  (n) => `customer ${n % 50_000}x`,
  (n) => `mail${n}@studio.example`,
  (n) => `nowhere ${n}`,
];

const SEARCH_TEXT_SQL = `'t-' || 90000000 + n || E'\\n' || 'tinv-' || 90000000 + n || E'\\ncustomer ' || n % 50000 || E'x\\nmail' || n || E'@studio.example\\npo-' || n * 7`;

function copiesOfOrder(orderId: string, count: number, account: string): [RowCopies, RowCopies, RowCopies, RowCopies] {
  const at = `date_trunc('day', now()) - (${count} - n)::float8 / ${count} * interval '${DAYS} days'`;
  const [ord, quo, inv] = ['ord', 'quo', 'inv'].map((prefix) => derivedIdSql(prefix, 'stored')) as [string, string, string];
  const own = { account_id: account, created_at: at };
  const timestamps = { settled_at: at, workflow_checked_at: at, workflow_claimed_until: at };
  const status = { status: `'completed'`, base_status: `'completed'` };
  return [
    {
      table: 'orders',
      where: `id = '${orderId}'`,
      changes: { ...own, ...timestamps, ...status, id: ord, order_number: `'T-' || 90000000 + n`, quote_id: quo, updated_at: at },
    },
    { table: 'order_search', where: `order_id = '${orderId}'`, changes: { ...own, order_id: ord, text: SEARCH_TEXT_SQL } },
    {
      table: 'quotes',
      where: `id = (SELECT quote_id FROM orders WHERE id = '${orderId}')`,
      changes: { ...own, id: quo, consumed_at: at, expires_at: at },
    },
    {
      table: 'invoices',
      where: `order_id = '${orderId}'`,
      changes: {
        id: inv,
        invoice_number: `'TINV-' || 90000000 + n`,
        order_id: ord,
        account_id: account,
        issued_at: at,
        paid_cents: 't.amount_cents',
      },
    },
  ];
}

/** Assigns 30 % to the largest account and the rest evenly to the others. */
function accountSql(largest: Buyer, others: readonly Buyer[]): string {
  const ids = [largest, ...others].map(({ accountId }) => `'${accountId}'`).join(', ');
  return `(ARRAY[${ids}])[CASE WHEN n % 10 < 3 THEN 1 ELSE 2 + n / 10 % ${others.length} END]`;
}
