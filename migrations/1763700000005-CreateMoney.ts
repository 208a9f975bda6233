import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invoices, payments, credit notes, refunds, and the ledger (ruling 52). */
export class CreateMoney1763700000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const schema of [INVOICES, PAYMENTS, LEDGER, SENDS]) await runner.query(schema);
  }

  async down(): Promise<void> {
    throw new Error('drop the database instead');
  }
}

const INVOICES = `
CREATE SEQUENCE invoice_numbers_live START 10001;
CREATE SEQUENCE invoice_numbers_test START 10001;
CREATE SEQUENCE credit_note_numbers_live START 10001;
CREATE SEQUENCE credit_note_numbers_test START 10001;

CREATE TABLE sellers (
  version integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  abn text NOT NULL,
  address text NOT NULL,
  bank text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE sellers IS 'Name, ABN, address and bank account of the studio. A version never changes.';

-- seller_version has no foreign key, because every order would lock the newest seller's row.
CREATE TABLE invoices (
  id text PRIMARY KEY,
  invoice_number text COLLATE "C" NOT NULL UNIQUE,
  order_id text NOT NULL CONSTRAINT invoices_one_per_order UNIQUE REFERENCES orders,
  account_id text NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  seller_version integer,
  buyer jsonb NOT NULL,
  reminded_step integer NOT NULL DEFAULT 0,
  amount_cents bigint NOT NULL,
  gst_cents bigint NOT NULL,
  paid_cents bigint NOT NULL DEFAULT 0,
  credited_cents bigint NOT NULL DEFAULT 0,
  voided_cents bigint NOT NULL DEFAULT 0,
  state text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN voided_at IS NOT NULL THEN 'void'
         WHEN credited_cents >= amount_cents AND credited_cents > 0 THEN 'credited'
         WHEN paid_cents + credited_cents >= amount_cents THEN 'paid'
         WHEN paid_cents + credited_cents > 0 THEN 'part_paid'
         ELSE 'open' END) STORED,
  issued_at timestamptz(3) NOT NULL,
  due_at timestamptz(3) NOT NULL,
  voided_at timestamptz(3)
);
COMMENT ON TABLE invoices IS 'The invoice of each order, with its figures and state.';
CREATE INDEX invoices_open ON invoices (account_id, environment, issued_at, id) WHERE voided_at IS NULL AND paid_cents + credited_cents < amount_cents;
CREATE INDEX invoices_by_state ON invoices (environment, state, issued_at, id, due_at);
CREATE INDEX invoices_of_account ON invoices (account_id, environment, state, issued_at, id, due_at);
CREATE INDEX invoices_by_due ON invoices (environment, state, due_at, id);
CREATE INDEX invoices_voided ON invoices (environment, voided_at) WHERE voided_at IS NOT NULL;
CREATE INDEX invoices_by_outstanding ON invoices (environment, state, (amount_cents - paid_cents - credited_cents), id);

CREATE TABLE credit_notes (
  id text PRIMARY KEY,
  credit_note_number text COLLATE "C" NOT NULL UNIQUE,
  sender_id text NOT NULL,
  order_id text NOT NULL REFERENCES orders,
  invoice_id text NOT NULL REFERENCES invoices,
  account_id text NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  gst_cents bigint NOT NULL,
  reason text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  reversed_at timestamptz(3),
  reversal_reason text,
  UNIQUE (order_id, sender_id)
);
COMMENT ON TABLE credit_notes IS 'Credit notes on invoices.';
CREATE INDEX credit_notes_newest ON credit_notes (environment, created_at, id);
CREATE INDEX credit_notes_of_account ON credit_notes (account_id, environment, created_at, id);
CREATE INDEX credit_notes_reversed ON credit_notes (environment, reversed_at) WHERE reversed_at IS NOT NULL;
CREATE CONSTRAINT TRIGGER credit_notes_searched AFTER INSERT ON credit_notes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION search_order_of_record();
`;

const PAYMENTS = `
CREATE TABLE account_payments (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  payment_id text NOT NULL,
  source text NOT NULL CHECK (source IN ('money', 'credit')),
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  unapplied_cents bigint NOT NULL CHECK (unapplied_cents BETWEEN 0 AND amount_cents),
  received_at timestamptz(3) NOT NULL,
  reference text,
  digest text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  reversed_at timestamptz(3),
  reversal_reason text,
  UNIQUE (account_id, payment_id)
);
COMMENT ON TABLE account_payments IS 'Payments on account, which pay several orders.';
CREATE INDEX account_payments_received ON account_payments (environment, received_at, id);
CREATE INDEX account_payments_of_account ON account_payments (account_id, environment, received_at, id);

-- account_id and environment are copied from the order, so they need no foreign keys of their own.
CREATE TABLE payments (
  order_id text NOT NULL REFERENCES orders,
  id text NOT NULL,
  account_id text NOT NULL,
  environment text NOT NULL,
  account_payment_id text REFERENCES account_payments,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  received_at timestamptz(3) NOT NULL,
  reference text,
  reversed_at timestamptz(3),
  reversal_reason text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (order_id, id)
);
COMMENT ON TABLE payments IS 'Payments of orders, received on their own or as part of a payment on account.';
CREATE CONSTRAINT TRIGGER payments_searched AFTER INSERT ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION search_order_of_record();
CREATE INDEX payments_on_account ON payments (account_payment_id) WHERE account_payment_id IS NOT NULL;
CREATE INDEX payments_received ON payments (environment, received_at, (order_id || '/' || id)) WHERE account_payment_id IS NULL;
CREATE INDEX payments_of_account ON payments (account_id, environment, received_at, (order_id || '/' || id)) WHERE account_payment_id IS NULL;
CREATE INDEX payments_reversed ON payments (environment, reversed_at) WHERE account_payment_id IS NULL AND reversed_at IS NOT NULL;
CREATE INDEX payments_by_bank_line ON payments (account_id, environment, id, amount_cents, received_at) WHERE account_payment_id IS NULL AND reversed_at IS NULL;

CREATE TABLE refunds (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  refund_id text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  refunded_at timestamptz(3) NOT NULL,
  reference text,
  digest text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  reversed_at timestamptz(3),
  reversal_id text,
  reversal_reason text,
  UNIQUE (account_id, refund_id)
);
COMMENT ON TABLE refunds IS 'Credit that was paid back to accounts.';
CREATE INDEX refunds_of_environment ON refunds (environment, refunded_at, id);
`;

const LEDGER = `
CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
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
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT ledger_entries_amount CHECK (amount_cents = outstanding_cents - credit_cents)
);
COMMENT ON TABLE ledger_entries IS 'Every change of an account''s balance. Entries never change.';
CREATE INDEX ledger_entries_booked ON ledger_entries (account_id, environment, booked_on, id) INCLUDE (invoice_id, outstanding_cents, credit_cents);

-- Every order updates its account's row. With free space on the page, such an update writes no index.
CREATE TABLE account_balances (
  account_id text NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  outstanding_cents bigint NOT NULL,
  credit_cents bigint NOT NULL,
  booked_on date NOT NULL,
  PRIMARY KEY (account_id, environment)
) WITH (fillfactor = 50);
COMMENT ON TABLE account_balances IS 'Running sums of the ledger for each account and environment.';
`;

const SENDS = `
CREATE TABLE statement_runs (
  id text PRIMARY KEY,
  sender_id text NOT NULL UNIQUE,
  digest text NOT NULL,
  period_from date NOT NULL,
  period_to date NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'paused', 'completed')),
  actor text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);
COMMENT ON TABLE statement_runs IS 'Statements to all accounts with a balance. Each account has one row in sends.';
CREATE INDEX statement_runs_newest ON statement_runs (created_at, id);

CREATE TABLE sends (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  key text NOT NULL,
  digest text NOT NULL,
  document text NOT NULL CHECK (document IN ('invoice', 'credit_note', 'statement', 'reminder')),
  order_id text REFERENCES orders,
  invoice_id text REFERENCES invoices,
  credit_note_id text REFERENCES credit_notes,
  run_id text REFERENCES statement_runs,
  period_from date,
  period_to date,
  step integer,
  recipient text NOT NULL,
  subject text NOT NULL,
  message text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'sent', 'refused', 'skipped')),
  failure text,
  token_id text,
  actor text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  claimed_until timestamptz(3),
  ended_at timestamptz(3),
  erased_at timestamptz(3),
  UNIQUE (account_id, key)
);
COMMENT ON TABLE sends IS 'Mails with documents to accounts. The key identifies a mail in its account, so that it is made once.';
CREATE INDEX sends_newest ON sends (created_at, id);
CREATE INDEX sends_of_account ON sends (account_id, created_at, id);
CREATE INDEX sends_of_order ON sends (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX sends_of_run ON sends (run_id, id) WHERE run_id IS NOT NULL;
CREATE INDEX sends_of_token ON sends (token_id, created_at) WHERE token_id IS NOT NULL;
CREATE INDEX sends_pending ON sends (created_at) WHERE state = 'pending';
`;
