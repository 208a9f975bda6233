import { MIGRATIONS } from '../../../src/db/data-source';
import { openDatabase, PATIENT, type Database } from '../../../src/db/database';
import { differingBalances, differingInvoices } from '../../../src/db/repositories/ledger-check';
import { createDemoAccount, seed } from '../../../src/db/seed';
import { sha256 } from '../../../src/security/fingerprint';
import { createDatabase, type TestDatabase } from '../../support/database';

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

/** What the releases before placing in the API kept otherwise. */
const FILL_BEFORE_RELAY = [
  `INSERT INTO webhook_endpoints (id, account_id, environment, url, secret, consecutive_failures, created_at, updated_at) SELECT 'whe_1', id, 'test', 'https://x.example/', 'lpw_x', 7, now(), now() FROM accounts`,
  `INSERT INTO idempotency_records (id, account_id, idempotency_key, fingerprint, state, claimed_until, expires_at, order_id, response_status, response_body, created_at)
   SELECT 'idm_1', id, 'placed', 'f', 'finished', now(), now(), 'ord_1', 201, '{}', now() FROM accounts`,
  `INSERT INTO idempotency_records (id, account_id, idempotency_key, fingerprint, state, claimed_until, expires_at, created_at)
   SELECT 'idm_2', id, 'left by a dead process', 'f', 'claimed', now(), now(), now() FROM accounts`,
  `INSERT INTO order_timeline (order_id, milestone_id, type, outcome, content, actor, occurred_at, created_at)
   VALUES ('ord_1', 'm1', 'printed', 'applied', '{"type":"printed"}', 'a', now(), now()), ('ord_1', 'm2', 'held', 'refused', '{}', 'a', now(), now())`,
];

describe('migrations on a database that is in use', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase({ empty: true });
  });
  afterEach(() => database.drop());

  /** As the release had it whose migrations were the first `count`. */
  const olderDatabase = (count: number) => openDatabase(database.url, 2, PATIENT, MIGRATIONS.slice(0, count));

  it.each(MIGRATIONS.slice(1).map((migration, index) => [migration.name, index + 1] as const))(
    '%s keeps every row',
    async (_name, from) => {
      const older = await olderDatabase(from);
      await older.migrate();
      await seed(older, new Date());
      await createDemoAccount(older, new Date());
      for (const statement of FILL) await older.run(statement);
      const before = await contents(older);
      await older.close();

      const present = await openDatabase(database.url, 2);
      try {
        expect(await present.migrate()).toEqual(MIGRATIONS.slice(from).map(({ name }) => name));
        expect(onlyWhatWasThere(await contents(present), before)).toEqual(before);
        expect(await present.migrate()).toEqual([]);
      } finally {
        await present.close();
      }
    },
  );

  it('what placing and relaying moved elsewhere is carried over: records of placed orders, failure counts, digests, started workflows', async () => {
    const from = MIGRATIONS.findIndex(({ name }) => name.startsWith('PlaceInTheApi'));
    const older = await olderDatabase(from);
    await older.migrate();
    await seed(older, new Date());
    await createDemoAccount(older, new Date());
    for (const statement of [...FILL, ...FILL_BEFORE_RELAY]) await older.run(statement);
    await older.close();

    const present = await openDatabase(database.url, 2);
    try {
      await present.migrate();
      expect(await present.rows('SELECT idempotency_key, order_id, response_body FROM idempotency_records')).toEqual([
        { idempotency_key: 'placed', order_id: 'ord_1', response_body: '{}' },
      ]);
      expect(await present.rows('SELECT endpoint_id, consecutive_failures FROM webhook_endpoint_health')).toEqual([
        { endpoint_id: 'whe_1', consecutive_failures: 7 },
      ]);
      expect(await present.rows('SELECT workflow_seen_at = created_at AS seen FROM orders')).toEqual([{ seen: true }]);
      expect(await present.rows('SELECT milestone_id, digest FROM order_timeline ORDER BY id')).toEqual([
        { milestone_id: 'm1', digest: sha256('{"type":"printed"}') },
        { milestone_id: 'm2', digest: null },
      ]);
    } finally {
      await present.close();
    }
  });

  it('invoices, payments and cancels of before are booked, on the day that it was in the studio, and what was paid of void ones is credit', async () => {
    const from = MIGRATIONS.findIndex(({ name }) => name.startsWith('KeepLedger'));
    const older = await olderDatabase(from);
    await older.migrate();
    await seed(older, new Date());
    await createDemoAccount(older, new Date());
    for (const statement of [...FILL, ...FILL_MONEY]) await older.run(statement);
    await older.close();

    const present = await openDatabase(database.url, 2);
    try {
      await present.migrate();
      expect([await differingBalances(present, null), await differingInvoices(present, null)]).toEqual([[], []]);
      expect(await present.rows('SELECT environment, outstanding_cents, credit_cents, booked_on FROM account_balances')).toEqual([
        { environment: 'test', outstanding_cents: 800, credit_cents: 1430, booked_on: '2026-04-05' },
      ]);
      expect(await present.rows(`SELECT type, booked_on, amount_cents FROM ledger_entries WHERE order_id = 'ord_1' ORDER BY id`)).toEqual([
        { type: 'invoice', booked_on: '2026-03-31', amount_cents: 1100 },
        { type: 'payment', booked_on: '2026-04-01', amount_cents: -300 },
      ]);
      expect(await present.rows('SELECT order_id, sender_id, amount_cents, gst_cents FROM credit_notes ORDER BY order_id')).toEqual([
        { order_id: 'ord_3', sender_id: 'cancel', amount_cents: 1100, gst_cents: 100 },
        { order_id: 'ord_4', sender_id: 'cancel', amount_cents: 440, gst_cents: 40 },
      ]);
    } finally {
      await present.close();
    }
  });

  it('artwork that orders and quotes of before named is in use, and nothing of it is fixed yet', async () => {
    const from = MIGRATIONS.findIndex(({ name }) => name.startsWith('FixArtwork'));
    const older = await olderDatabase(from);
    await older.migrate();
    await seed(older, new Date());
    await createDemoAccount(older, new Date());
    for (const statement of [...FILL, ...FILL_ARTWORK]) await older.run(statement);
    await older.close();

    const present = await openDatabase(database.url, 2);
    try {
      await present.migrate();
      expect(await present.rows(`SELECT order_id, upload_id, fixed_at, look_at FROM order_artwork`)).toEqual([
        { order_id: 'ord_1', upload_id: 'upl_ordered', fixed_at: null, look_at: null },
      ]);
      expect(
        await present.rows(
          `SELECT id, used_at IS NOT NULL AS used, quoted_until, expires_at - created_at = interval '15 minutes' AS quarter FROM uploads ORDER BY id`,
        ),
      ).toEqual([
        { id: 'upl_ordered', used: true, quoted_until: expect.any(Date), quarter: true },
        { id: 'upl_quoted', used: false, quoted_until: new Date('2026-01-05'), quarter: true },
        { id: 'upl_unused', used: false, quoted_until: null, quarter: true },
      ]);
    } finally {
      await present.close();
    }
  });
});

/** As `FILL`'s order, others: open and part paid, paid, cancelled once paid, and with a payment that was reversed before and one after. */
const FILL_MONEY = [
  ...[2, 3, 4].flatMap((n) => [
    `INSERT INTO quotes SELECT (jsonb_populate_record(NULL::quotes, to_jsonb(q) || '{"id": "quo_${n}"}')).* FROM quotes q WHERE id = 'quo_1'`,
    `INSERT INTO orders SELECT (jsonb_populate_record(NULL::orders, to_jsonb(o) || '{"id": "ord_${n}", "quote_id": "quo_${n}", "order_number": "T-${n}"}')).* FROM orders o WHERE id = 'ord_1'`,
    `INSERT INTO invoices SELECT (jsonb_populate_record(NULL::invoices, to_jsonb(i) || '{"id": "inv_${n}", "order_id": "ord_${n}", "invoice_number": "TINV-${n}"}')).* FROM invoices i WHERE id = 'inv_1'`,
  ]),
  `UPDATE invoices SET issued_at = '2026-03-31T12:59:00Z'`,
  `INSERT INTO payments (order_id, id, amount_cents, received_at, created_at, reversed_at) VALUES
     ('ord_1', 'part', 300, now(), '2026-03-31T13:01:00Z', NULL), ('ord_2', 'whole', 1100, now(), '2026-04-01', NULL),
     ('ord_3', 'whole', 1100, now(), '2026-04-01', NULL), ('ord_4', 'reversed before', 200, now(), '2026-04-01', '2026-04-02'),
     ('ord_4', 'stands', 330, now(), '2026-04-03', NULL), ('ord_4', 'reversed after', 110, now(), '2026-04-03', '2026-04-05')`,
  `UPDATE invoices i SET paid_cents = (SELECT SUM(amount_cents) FROM payments p WHERE p.order_id = i.order_id AND reversed_at IS NULL),
     voided_at = CASE WHEN order_id IN ('ord_3', 'ord_4') THEN '2026-04-04'::timestamptz END`,
];

/** What orders and quotes of before named. */
const FILL_ARTWORK = [
  ...['ordered', 'quoted', 'unused'].map(
    (name) => `INSERT INTO uploads (id, account_id, environment, key_id, filename, content_type, size_bytes, storage_key, url, created_at)
   SELECT 'upl_${name}', account_id, 'test', id, 'x.jpg', 'image/jpeg', 10, 'artwork/a/${name}.jpg', 'http://x/${name}', '2026-01-01' FROM api_keys WHERE environment = 'test'`,
  ),
  `UPDATE quotes SET jobs = '[{"imageUrl": "http://x/ordered"}, {"imageUrl": null}, {"imageUrl": "http://x/ordered"}]'`,
  `INSERT INTO quotes SELECT (jsonb_populate_record(NULL::quotes, to_jsonb(q) || '{"id": "quo_2", "consumed_at": null, "expires_at": "2026-01-05", "jobs": [{"imageUrl": "http://x/quoted"}]}')).* FROM quotes q`,
];

type Contents = Record<string, Record<string, unknown>[]>;

/** Each table's rows. */
async function contents(database: Database): Promise<Contents> {
  const tables: { name: string }[] = await database.rows(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'`,
  );
  const entries = tables.map(async ({ name }) => {
    const found: { row: Record<string, unknown> }[] = await database.rows(`SELECT to_jsonb(t) AS row FROM "${name}" t ORDER BY t::text`);
    return [name, found.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Without the tables and columns that a migration added. */
function onlyWhatWasThere(after: Contents, before: Contents): Contents {
  const entries = Object.entries(before).map(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {});
    return [
      table,
      (after[table] ?? []).map((row) =>
        Object.fromEntries(columns.filter((column) => column in row).map((column) => [column, row[column]])),
      ),
    ] as const;
  });
  return Object.fromEntries(entries);
}
