import { Client } from 'pg';
import { anOrder } from '../../../support/baskets';
import { anEndpoint } from '../../../support/endpoints';
import type { TestService } from '../../../support/service';

/** Numbers of the counted rows. */
export interface OrderTotals {
  orders: number;
  received: number;
  inProduction: number;
  onHold: number;
  attention: number;
  deliveries: number;
  failed: number;
}

const DERIVED_ID = (prefix: string): string => `'${prefix}_' || md5('many' || n)`;
const STATUS = `CASE WHEN n <= 3000 THEN (ARRAY['received', 'in_production', 'on_hold'])[1 + n % 3]
  ELSE (ARRAY['completed', 'shipped', 'cancelled', 'completed'])[1 + n % 4] END`;
/** Number 1 is the newest. Numbers are five minutes apart. */
const CREATED = `date_trunc('second', now()) - (n + 10) * interval '5 minutes'`;
const DUE = `to_char(${CREATED} + interval '9 days', 'YYYY-MM-DD')`;

/**
 * Live orders as copies of a placed one, with searchable texts, three hundred that need attention and a tenth of
 * them with a delivery, some of which failed. Writes directly to the tables, as if they had arrived one by one.
 */
export async function insertManyOrders(service: TestService, orders: number): Promise<OrderTotals> {
  const { accountId, liveKey } = service.account;
  const endpoint = await anEndpoint(service.deps.database, accountId, 'https://receiver.invalid/', 'live');
  const { orderId } = (await anOrder(service.trade(liveKey))) as { orderId: string };
  const client = new Client({ connectionString: service.env['DATABASE_URL'] });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    for (const [table, of, but, only] of orderCopies(orderId, endpoint.id))
      await client.query(await insertCopies(client, table, of, but, only, orders));
    await client.query('DELETE FROM webhook_deliveries WHERE order_id = $1', [orderId]);
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
  return {
    orders: orders + 1,
    received: 1001,
    inProduction: 1000,
    onHold: 1000,
    attention: 300,
    deliveries: orders / 10,
    failed: orders / 100,
  };
}

type RowCopies = [table: string, of: string, but: Record<string, string>, only: string];

function orderCopies(order: string, endpoint: string): RowCopies[] {
  const base = `CASE ${STATUS} WHEN 'shipped' THEN 'in_production' ELSE ${STATUS} END`;
  const of = `id = '${order}'`;
  const searched = `'p-' || 5000000 + n || E'\\nrecipient ' || n || E'\\n' || md5('mail' || n) || '@example.com'`;
  const times = { created_at: CREATED, updated_at: CREATED, settled_at: CREATED, workflow_checked_at: CREATED };
  return [
    ['quotes', `id = (SELECT quote_id FROM orders WHERE ${of})`, { id: DERIVED_ID('quo') }, 'true'],
    [
      'orders',
      of,
      {
        id: DERIVED_ID('ord'),
        order_number: `'P-' || 5000000 + n`,
        quote_id: DERIVED_ID('quo'),
        status: STATUS,
        base_status: base,
        due_date: DUE,
        ...times,
      },
      'true',
    ],
    ['order_search', `order_id = '${order}'`, { order_id: DERIVED_ID('ord'), created_at: CREATED, text: searched }, 'true'],
    [
      'order_events',
      `order_id = '${order}'`,
      { id: DERIVED_ID('evt'), order_id: DERIVED_ID('ord'), feed_position: 'NULL::bigint', created_at: CREATED },
      'n % 10 = 0',
    ],
    [
      'webhook_deliveries',
      'true',
      {
        id: DERIVED_ID('dlv'),
        event_id: DERIVED_ID('evt'),
        order_id: DERIVED_ID('ord'),
        endpoint_id: `'${endpoint}'`,
        environment: `'live'`,
        state: `CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'delivered' END`,
        trigger: `'automatic'`,
        chain: '1',
        attempts: '1',
        error_code: `CASE WHEN n % 100 = 0 THEN 'BAD_STATUS' END`,
        created_at: CREATED,
        completed_at: CREATED,
      },
      'n % 10 = 0',
    ],
    [
      'order_attention',
      'true',
      {
        order_id: DERIVED_ID('ord'),
        environment: `'live'`,
        code: `'ARTWORK_LOW_RESOLUTION'`,
        subject: `'upl_' || n`,
        message: `'line 0 has 120 dpi'`,
        raised_at: CREATED,
      },
      'n <= 300',
    ],
  ];
}

/** Rows by the numbers 1 to `count`, called `n` in the expressions: copies of a row of the table, or made of the expressions alone. */
async function insertCopies(
  client: Client,
  table: string,
  of: string,
  but: Record<string, string>,
  only: string,
  count: number,
): Promise<string> {
  const found = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = $1 AND is_identity = 'NO' AND is_generated = 'NEVER'`,
    [table],
  );
  const columns = found.rows.map(({ name }) => name).filter((name) => of !== 'true' || name in but);
  const from = of === 'true' ? '' : `, (SELECT * FROM ${table} WHERE ${of} LIMIT 1) AS t`;
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map((name) => but[name] ?? `t.${name}`).join(', ')}
    FROM generate_series(1, ${count}) AS n ${from} WHERE ${only}`;
}
