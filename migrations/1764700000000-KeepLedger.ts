import type { MigrationInterface, QueryRunner } from 'typeorm';

const ACCOUNT = `account_id text NOT NULL REFERENCES accounts, environment text NOT NULL CHECK (environment IN ('live', 'test'))`;
const CREATED = 'created_at timestamptz(3) NOT NULL';

const TABLES = [
  `ALTER TABLE invoices ADD COLUMN credited_cents bigint NOT NULL DEFAULT 0, ADD COLUMN voided_cents bigint NOT NULL DEFAULT 0`,
  `DROP INDEX invoices_outstanding`,
  `CREATE INDEX invoices_open ON invoices (account_id, environment, issued_at, id) WHERE voided_at IS NULL AND paid_cents + credited_cents < amount_cents`,
  `CREATE TABLE account_balances (
     ${ACCOUNT},
     outstanding_cents bigint NOT NULL,
     credit_cents bigint NOT NULL CHECK (credit_cents >= 0),
     booked_on date NOT NULL,
     PRIMARY KEY (account_id, environment)
   ) WITH (fillfactor = 50)`,
  `CREATE TABLE ledger_entries (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     ${ACCOUNT},
     booked_on date NOT NULL,
     type text NOT NULL CHECK (type IN ('invoice', 'void', 'payment', 'reversal', 'credit_note', 'refund')),
     amount_cents bigint NOT NULL,
     outstanding_cents bigint NOT NULL,
     credit_cents bigint NOT NULL,
     order_id text,
     invoice_id text,
     credit_note_id text,
     account_payment_id text,
     payment_id text,
     refund_id text,
     ${CREATED},
     CONSTRAINT ledger_entries_amount CHECK (amount_cents = outstanding_cents - credit_cents)
   )`,
  `CREATE INDEX ledger_entries_booked ON ledger_entries (account_id, environment, booked_on, id) INCLUDE (amount_cents)`,
  `CREATE TABLE credit_notes (
     id text PRIMARY KEY,
     credit_note_number text NOT NULL UNIQUE,
     sender_id text NOT NULL,
     order_id text NOT NULL REFERENCES orders,
     invoice_id text NOT NULL REFERENCES invoices,
     ${ACCOUNT},
     amount_cents bigint NOT NULL CHECK (amount_cents > 0),
     gst_cents bigint NOT NULL,
     reason text NOT NULL,
     ${CREATED},
     UNIQUE (order_id, sender_id)
   )`,
  `CREATE SEQUENCE credit_note_numbers_live START 10001`,
  `CREATE SEQUENCE credit_note_numbers_test START 10001`,
  `CREATE TABLE account_payments (
     id text PRIMARY KEY,
     ${ACCOUNT},
     payment_id text NOT NULL,
     source text NOT NULL CHECK (source IN ('money', 'credit')),
     amount_cents bigint NOT NULL CHECK (amount_cents > 0),
     unapplied_cents bigint NOT NULL CHECK (unapplied_cents BETWEEN 0 AND amount_cents),
     received_at timestamptz(3) NOT NULL,
     reference text,
     digest text NOT NULL,
     ${CREATED},
     reversed_at timestamptz(3),
     UNIQUE (account_id, payment_id)
   )`,
  `ALTER TABLE payments ADD COLUMN account_payment_id text REFERENCES account_payments`,
  `CREATE INDEX payments_on_account ON payments (account_payment_id) WHERE account_payment_id IS NOT NULL`,
  `CREATE TABLE refunds (
     id text PRIMARY KEY,
     ${ACCOUNT},
     refund_id text NOT NULL,
     amount_cents bigint NOT NULL CHECK (amount_cents > 0),
     reference text,
     digest text NOT NULL,
     ${CREATED},
     UNIQUE (account_id, refund_id)
   )`,
];

/** What had been paid on an invoice when it was voided. A payment of that very moment came before, a reversal after: the balance is the same. */
const PAID_AT_VOID = `(SELECT COALESCE(SUM(y.amount_cents), 0)::bigint FROM payments y WHERE y.order_id = i.order_id AND y.created_at <= i.voided_at
  AND (y.reversed_at IS NULL OR y.reversed_at >= i.voided_at))`;

/** Void invoices: what was not paid is voided, what was paid is the account's credit, by a credit note as a cancel writes it. */
const FILL_VOID = [
  `UPDATE invoices i SET credited_cents = ${PAID_AT_VOID}, voided_cents = GREATEST(0, i.amount_cents - ${PAID_AT_VOID}) WHERE i.voided_at IS NOT NULL`,
  `INSERT INTO credit_notes (id, credit_note_number, sender_id, order_id, invoice_id, account_id, environment, amount_cents, gst_cents, reason, created_at)
   SELECT 'crn_' || replace(gen_random_uuid()::text, '-', ''),
          CASE environment WHEN 'live' THEN 'CN-' || nextval('credit_note_numbers_live') ELSE 'TCN-' || nextval('credit_note_numbers_test') END,
          'cancel', order_id, id, account_id, environment, credited_cents, gst_cents, 'order cancelled', voided_at
     FROM (SELECT id, order_id, account_id, environment, credited_cents, voided_at,
                  floor((2 * gst_cents::numeric * credited_cents + amount_cents) / (2 * amount_cents))::bigint AS gst_cents
             FROM invoices WHERE credited_cents > 0 ORDER BY voided_at, id) voided`,
];

/**
 * Every entry that these invoices and payments would have had, in the order in which they were written. A payment is taken off what is
 * outstanding; reversed after the invoice was voided, off the credit that it had become.
 * @param day SQL of the studio's date of a time
 */
const fillEntries = (day: (at: string) => string): string => `
  WITH booked (step, at, account_id, environment, type, outstanding_cents, credit_cents, order_id, invoice_id, credit_note_id, payment_id) AS (
    SELECT 0, i.issued_at, i.account_id, i.environment, 'invoice', i.amount_cents, 0::bigint, i.order_id, i.id, NULL, NULL FROM invoices i
    UNION ALL
    SELECT 1, y.created_at, i.account_id, i.environment, 'payment', -y.amount_cents, 0, i.order_id, i.id, NULL, y.id
      FROM payments y JOIN invoices i USING (order_id)
    UNION ALL
    SELECT 2, i.voided_at, i.account_id, i.environment, 'void', -i.voided_cents, 0, i.order_id, i.id, NULL, NULL FROM invoices i
     WHERE i.voided_at IS NOT NULL
    UNION ALL
    SELECT 3, n.created_at, n.account_id, n.environment, 'credit_note', 0, n.amount_cents, n.order_id, n.invoice_id, n.id, NULL FROM credit_notes n
    UNION ALL
    SELECT 4, y.reversed_at, i.account_id, i.environment, 'reversal',
           CASE WHEN i.voided_at <= y.reversed_at THEN 0 ELSE y.amount_cents END, CASE WHEN i.voided_at <= y.reversed_at THEN -y.amount_cents ELSE 0 END,
           i.order_id, i.id, NULL, y.id
      FROM payments y JOIN invoices i USING (order_id) WHERE y.reversed_at IS NOT NULL)
  INSERT INTO ledger_entries (account_id, environment, booked_on, type, amount_cents, outstanding_cents, credit_cents, order_id, invoice_id, credit_note_id, payment_id, created_at)
  SELECT account_id, environment, ${day('at')}, type, outstanding_cents - credit_cents, outstanding_cents, credit_cents,
         order_id, invoice_id, credit_note_id, payment_id, at
    FROM booked ORDER BY at, step, invoice_id, payment_id`;

const FILL_BALANCES = `
  INSERT INTO account_balances (account_id, environment, outstanding_cents, credit_cents, booked_on)
  SELECT account_id, environment, SUM(outstanding_cents), SUM(credit_cents), max(booked_on) FROM ledger_entries GROUP BY account_id, environment`;

/**
 * What: the ledger of each account and environment with its running sums, credit notes, and the tables of payments on account and refunds;
 * an invoice says what was credited and what was voided of it. The index of outstanding invoices goes, which summed them up, and one of
 * open invoices by age comes.
 * Why: the balance must be known at once however many invoices are open, and a statement of last month must still be true (rulings 52 to
 * 55). Invoices, payments and voids that are there get the entries that they would have had, on the day on which they happened where the
 * newest price book's studio is. Processes of the release before write no entries: stop them first, or let `trade-print reconcile` tell what differs.
 */
export class KeepLedger1764700000000 implements MigrationInterface {
  name = 'KeepLedger1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE invoices, payments IN SHARE ROW EXCLUSIVE MODE');
    for (const statement of [...TABLES, ...FILL_VOID]) await runner.query(statement);
    const zone = await newestZone(runner);
    await runner.query(fillEntries((at) => `(${at} AT TIME ZONE '${zone}')::date`));
    await runner.query(FILL_BALANCES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments DROP COLUMN account_payment_id');
    for (const table of ['refunds', 'account_payments', 'credit_notes', 'ledger_entries', 'account_balances'])
      await runner.query(`DROP TABLE ${table}`);
    for (const environment of ['live', 'test']) await runner.query(`DROP SEQUENCE credit_note_numbers_${environment}`);
    await runner.query('ALTER TABLE invoices DROP COLUMN credited_cents, DROP COLUMN voided_cents');
    await runner.query(
      `CREATE INDEX invoices_outstanding ON invoices (account_id, environment) INCLUDE (amount_cents, paid_cents) WHERE voided_at IS NULL AND paid_cents < amount_cents`,
    );
  }
}

/** UTC where there is no book, or PostgreSQL does not know its time zone. Plain letters, so it may stand in SQL. */
async function newestZone(runner: QueryRunner): Promise<string> {
  const [newest]: { document: string }[] = await runner.query('SELECT document FROM price_books ORDER BY version DESC LIMIT 1');
  const zone = newest === undefined ? undefined : (JSON.parse(newest.document) as { timeZone?: unknown }).timeZone;
  const known: unknown[] = await runner.query('SELECT 1 FROM pg_timezone_names WHERE name = $1', [String(zone)]);
  return known.length > 0 && /^[\w/+-]+$/.test(String(zone)) ? String(zone) : 'UTC';
}
