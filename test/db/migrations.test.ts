import { DataSource } from 'typeorm';
import { createDataSource, migrate, MIGRATIONS } from '../../src/db/data-source';
import { createDemoAccount, seed } from '../../src/db/seed';
import { createDatabase, type TestDatabase } from '../support/database';

/** An order with all that hangs on it, written as the first release wrote it. */
const FILL = [
  `INSERT INTO quotes (id, account_id, environment, key_id, currency, pricing_version, lines, jobs, breakdown, shipping_address, rush_tier, white_label,
     subtotal_cents, discount_cents, shipping_cents, rush_fee_cents, total_cents, gst_cents, created_at, expires_at, consumed_at)
   SELECT 'quo_1', account_id, 'test', id, 'AUD', 1, '[]', '[]', '{}', '{}', 'standard', true, 1000, 0, 100, 0, 1100, 100, now(), now(), now() FROM api_keys WHERE environment = 'test'`,
  `INSERT INTO orders (id, order_number, account_id, environment, quote_id, status, base_status, currency, lines, subtotal_cents, discount_cents, shipping_cents,
     rush_fee_cents, total_cents, gst_cents, white_label, created_at, updated_at)
   SELECT 'ord_1', 'T-1', account_id, 'test', 'quo_1', 'received', 'received', 'AUD', '[]', 1000, 0, 100, 0, 1100, 100, true, now(), now() FROM quotes`,
  `INSERT INTO invoices (id, invoice_number, order_id, account_id, environment, amount_cents, gst_cents, issued_at, due_at) SELECT 'inv_1', 'TINV-1', id, account_id, 'test', 1100, 100, now(), now() FROM orders`,
  `INSERT INTO order_events (id, order_id, account_id, environment, sequence, type, body, created_at) SELECT 'evt_1', id, account_id, 'test', 1, 'order.received', '{"id":"evt_1"}', now() FROM orders`,
];

describe('migrations on a database that is in use', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase({ empty: true });
  });
  afterEach(() => database.drop());

  it.each(MIGRATIONS.slice(1).map((migration, index) => [migration.name, index + 1] as const))('%s keeps every row', async (_name, from) => {
    const older = await new DataSource({ type: 'postgres', url: database.url, migrations: MIGRATIONS.slice(0, from), migrationsTableName: 'migrations' }).initialize();
    await older.runMigrations();
    await seed(older, new Date());
    await createDemoAccount(older, new Date());
    for (const statement of FILL) await older.query(statement);
    const before = await contents(older);
    await older.destroy();

    const present = await createDataSource(database.url, 2).initialize();
    try {
      expect(await migrate(present)).toEqual(MIGRATIONS.slice(from).map(({ name }) => name));
      expect(await contents(present)).toMatchObject(before);
      expect(await migrate(present)).toEqual([]);
    } finally {
      await present.destroy();
    }
  });
});

/** Each table's rows, as many as there are, in a form that can be compared. */
async function contents(dataSource: DataSource): Promise<Record<string, string[]>> {
  const tables: { name: string }[] = await dataSource.query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'`);
  const entries = tables.map(async ({ name }) => {
    const found: { row: object }[] = await dataSource.query(`SELECT to_jsonb(t) AS row FROM "${name}" t`);
    return [name, found.map(({ row }) => JSON.stringify(row)).toSorted()] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
