import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: every table of the order service: accounts and keys, catalogue and price books, uploads, quotes, orders with
 * their invoice, parcels, payments, timeline and events, idempotency records, rate windows and the audit log.
 * Why: PostgreSQL is the truth for reads, money and uniqueness; whatever must never happen twice has a unique key here.
 *
 * Text that is signed or replayed (event bodies, idempotent responses) is `text`: jsonb would reorder its keys.
 * Timestamps are timestamptz(3), because a JavaScript Date drops microseconds and cursors compare them.
 */
export class CreateOrderService1763700000000 implements MigrationInterface {
  name = 'CreateOrderService1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...ACCOUNTS, ...CATALOGUE, ...QUOTES, ...ORDERS, ...BOOKKEEPING, ...ADMISSION]) {
      await runner.query(statement);
    }
  }

  async down(): Promise<void> {
    throw new Error('the first migration has no way back: drop the database instead');
  }
}

const ENVIRONMENT = `environment text NOT NULL CHECK (environment IN ('live', 'test'))`;
const CREATED = `created_at timestamptz(3) NOT NULL`;

const ACCOUNTS = [
  `CREATE TABLE accounts (
     id text PRIMARY KEY,
     name text NOT NULL,
     email text NOT NULL,
     trade_discount_bps integer NOT NULL DEFAULT 0 CHECK (trade_discount_bps BETWEEN 0 AND 10000),
     credit_limit_cents bigint CHECK (credit_limit_cents >= 0),
     payment_terms_days integer NOT NULL DEFAULT 30 CHECK (payment_terms_days BETWEEN 0 AND 365),
     status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
     api_access boolean NOT NULL DEFAULT true,
     ${CREATED}
   )`,
  `CREATE TABLE api_keys (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts,
     ${ENVIRONMENT},
     scopes text[] NOT NULL,
     name text,
     key_hash bytea NOT NULL CONSTRAINT api_keys_hash UNIQUE,
     prefix text NOT NULL,
     last_four text NOT NULL,
     expires_at timestamptz(3),
     revoked_at timestamptz(3),
     last_used_at timestamptz(3),
     ${CREATED}
   )`,
  `CREATE INDEX api_keys_account ON api_keys (account_id)`,
  `CREATE TABLE studio_tokens (
     id text PRIMARY KEY,
     name text NOT NULL,
     role text NOT NULL CHECK (role IN ('floor', 'office', 'admin')),
     token_hash bytea NOT NULL CONSTRAINT studio_tokens_hash UNIQUE,
     last_used_at timestamptz(3),
     revoked_at timestamptz(3),
     ${CREATED}
   )`,
];

const CATALOGUE = [
  `CREATE TABLE catalogue_rows (
     section text NOT NULL,
     id text NOT NULL,
     position integer NOT NULL,
     content jsonb NOT NULL,
     withdrawn boolean NOT NULL DEFAULT false,
     updated_at timestamptz(3) NOT NULL,
     PRIMARY KEY (section, id)
   )`,
  `CREATE TABLE catalogue_revision (singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton), revision bigint NOT NULL)`,
  `INSERT INTO catalogue_revision (revision) VALUES (1)`,
  // A reader that has seen this number has seen every row: it may keep what it read until the number moves.
  `CREATE FUNCTION advance_catalogue_revision() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE catalogue_revision SET revision = revision + 1;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER catalogue_rows_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON catalogue_rows
     FOR EACH STATEMENT EXECUTE FUNCTION advance_catalogue_revision()`,
  `CREATE TABLE price_books (
     version integer PRIMARY KEY,
     document text NOT NULL,
     sha256 text NOT NULL,
     effective_at timestamptz(3) NOT NULL,
     published_by text NOT NULL,
     ${CREATED}
   )`,
  `CREATE TABLE settings (name text PRIMARY KEY, value jsonb NOT NULL, updated_at timestamptz(3) NOT NULL)`,
  `CREATE TABLE service_secrets (name text PRIMARY KEY, value text NOT NULL)`,
];

const QUOTES = [
  `CREATE TABLE uploads (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts,
     ${ENVIRONMENT},
     key_id text NOT NULL REFERENCES api_keys,
     filename text NOT NULL,
     content_type text NOT NULL,
     size_bytes bigint NOT NULL CHECK (size_bytes BETWEEN 1 AND 524288000),
     storage_key text NOT NULL UNIQUE,
     url text NOT NULL,
     ${CREATED}
   )`,
  `CREATE UNIQUE INDEX uploads_owned_url ON uploads (account_id, url)`,
  `CREATE TABLE quotes (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts,
     ${ENVIRONMENT},
     key_id text NOT NULL REFERENCES api_keys,
     currency text NOT NULL,
     pricing_version integer NOT NULL REFERENCES price_books,
     lines jsonb NOT NULL,
     jobs jsonb NOT NULL,
     breakdown jsonb NOT NULL,
     shipping_address jsonb NOT NULL,
     shipping_method text,
     rush_tier text NOT NULL,
     white_label boolean NOT NULL,
     subtotal_cents bigint NOT NULL,
     discount_cents bigint NOT NULL,
     discount_reason text,
     discount_label text,
     shipping_cents bigint NOT NULL,
     rush_fee_cents bigint NOT NULL,
     total_cents bigint NOT NULL,
     gst_cents bigint NOT NULL,
     promised_ready_date text,
     ${CREATED},
     expires_at timestamptz(3) NOT NULL,
     consumed_at timestamptz(3),
     expired_at timestamptz(3),
     hold_started_at timestamptz(3),
     CONSTRAINT quotes_total CHECK (total_cents = subtotal_cents - discount_cents + shipping_cents + rush_fee_cents)
   )`,
  `CREATE INDEX quotes_without_hold ON quotes (created_at) WHERE hold_started_at IS NULL AND consumed_at IS NULL AND expired_at IS NULL`,
];

const ORDERS = [
  `CREATE SEQUENCE order_numbers_live START 10001`,
  `CREATE SEQUENCE order_numbers_test START 10001`,
  `CREATE SEQUENCE invoice_numbers_live START 10001`,
  `CREATE SEQUENCE invoice_numbers_test START 10001`,
  `CREATE TABLE orders (
     id text PRIMARY KEY,
     order_number text NOT NULL UNIQUE,
     account_id text NOT NULL REFERENCES accounts,
     ${ENVIRONMENT},
     quote_id text NOT NULL CONSTRAINT orders_one_per_quote UNIQUE REFERENCES quotes,
     status text NOT NULL CHECK (status IN ('received', 'in_production', 'on_hold', 'shipped', 'completed', 'cancelled')),
     base_status text NOT NULL CHECK (base_status IN ('received', 'in_production', 'on_hold', 'completed', 'cancelled')),
     held_from text CHECK (held_from IN ('received', 'in_production')),
     printed boolean NOT NULL DEFAULT false,
     version integer NOT NULL DEFAULT 1,
     event_sequence integer NOT NULL DEFAULT 1,
     special_instructions text,
     currency text NOT NULL,
     lines jsonb NOT NULL,
     subtotal_cents bigint NOT NULL,
     discount_cents bigint NOT NULL,
     shipping_cents bigint NOT NULL,
     shipping_method text,
     rush_fee_cents bigint NOT NULL,
     total_cents bigint NOT NULL,
     gst_cents bigint NOT NULL,
     promised_ready_date text,
     white_label boolean NOT NULL,
     settled_at timestamptz(3),
     confirmation_sent_at timestamptz(3),
     ${CREATED},
     updated_at timestamptz(3) NOT NULL,
     CONSTRAINT orders_total CHECK (total_cents = subtotal_cents - discount_cents + shipping_cents + rush_fee_cents)
   )`,
  `CREATE INDEX orders_newest_first ON orders (account_id, environment, created_at DESC, id DESC)`,
  `CREATE INDEX orders_studio ON orders (environment, created_at DESC, id DESC)`,
  `CREATE INDEX orders_open ON orders (created_at) WHERE settled_at IS NULL`,
  `CREATE TABLE invoices (
     id text PRIMARY KEY,
     invoice_number text NOT NULL UNIQUE,
     order_id text NOT NULL CONSTRAINT invoices_one_per_order UNIQUE REFERENCES orders,
     account_id text NOT NULL REFERENCES accounts,
     ${ENVIRONMENT},
     amount_cents bigint NOT NULL,
     gst_cents bigint NOT NULL,
     paid_cents bigint NOT NULL DEFAULT 0,
     issued_at timestamptz(3) NOT NULL,
     due_at timestamptz(3) NOT NULL,
     voided_at timestamptz(3)
   )`,
  `CREATE INDEX invoices_outstanding ON invoices (account_id, environment) INCLUDE (amount_cents, paid_cents)
     WHERE voided_at IS NULL AND paid_cents < amount_cents`,
  `CREATE TABLE parcels (
     order_id text NOT NULL REFERENCES orders,
     id text NOT NULL,
     position integer NOT NULL,
     tracking_number text NOT NULL,
     carrier text,
     tracking_url text,
     shipped_at timestamptz(3),
     voided_at timestamptz(3),
     ${CREATED},
     PRIMARY KEY (order_id, id)
   )`,
  `CREATE TABLE payments (
     order_id text NOT NULL REFERENCES orders,
     id text NOT NULL,
     amount_cents bigint NOT NULL CHECK (amount_cents > 0),
     received_at timestamptz(3) NOT NULL,
     reference text,
     reversed_at timestamptz(3),
     ${CREATED},
     PRIMARY KEY (order_id, id)
   )`,
  `CREATE TABLE order_timeline (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     order_id text NOT NULL REFERENCES orders,
     milestone_id text NOT NULL,
     type text NOT NULL,
     outcome text NOT NULL CHECK (outcome IN ('applied', 'refused')),
     reason text,
     content text NOT NULL,
     actor text NOT NULL,
     occurred_at timestamptz(3) NOT NULL,
     ${CREATED}
   )`,
  `CREATE UNIQUE INDEX order_timeline_applied_once ON order_timeline (order_id, milestone_id) WHERE outcome = 'applied'`,
  `CREATE UNIQUE INDEX order_timeline_refused_once ON order_timeline (order_id, milestone_id, content, reason) WHERE outcome = 'refused'`,
  `CREATE TABLE order_events (
     id text PRIMARY KEY,
     order_id text NOT NULL REFERENCES orders,
     account_id text NOT NULL,
     ${ENVIRONMENT},
     sequence integer NOT NULL,
     type text NOT NULL,
     body text NOT NULL,
     ${CREATED},
     UNIQUE (order_id, sequence)
   )`,
];

const BOOKKEEPING = [
  `CREATE TABLE idempotency_records (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts,
     idempotency_key text NOT NULL,
     fingerprint text NOT NULL,
     special_instructions text,
     state text NOT NULL CHECK (state IN ('claimed', 'finished')),
     claimed_until timestamptz(3) NOT NULL,
     expires_at timestamptz(3) NOT NULL,
     order_id text,
     response_status integer,
     response_body text,
     ${CREATED},
     CONSTRAINT idempotency_one_per_key UNIQUE (account_id, idempotency_key)
   )`,
  `CREATE INDEX idempotency_expiry ON idempotency_records (expires_at)`,
  `CREATE TABLE audit_log (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     at timestamptz(3) NOT NULL,
     actor_id text NOT NULL,
     actor text NOT NULL,
     action text NOT NULL,
     subject text NOT NULL,
     request_id text NOT NULL,
     before jsonb,
     after jsonb
   )`,
  // A milestone may be sent again until its answer arrives; it is one deed.
  `CREATE UNIQUE INDEX audit_log_milestone_once ON audit_log (subject, (after->>'milestoneId')) WHERE after->>'milestoneId' IS NOT NULL`,
];

/**
 * Rate windows: one row per subject and endpoint with the admission times (ms since epoch) of the last minute. The row
 * lock makes the count exact over all API processes. UNLOGGED: a crash of PostgreSQL forgets at most one minute of budget.
 */
const ADMISSION = [
  `CREATE UNLOGGED TABLE rate_windows (
     subject text NOT NULL,
     endpoint text NOT NULL,
     hits bigint[] NOT NULL,
     PRIMARY KEY (subject, endpoint)
   )`,
  `CREATE FUNCTION admit_hit(p_subject text, p_endpoint text, p_limit integer) RETURNS integer
   LANGUAGE plpgsql AS $$
   DECLARE
     v_now bigint;
     v_hits bigint[];
   BEGIN
     LOOP -- the sweeper may forget the row between the two statements
       INSERT INTO rate_windows (subject, endpoint, hits) VALUES (p_subject, p_endpoint, '{}') ON CONFLICT DO NOTHING;
       SELECT hits INTO v_hits FROM rate_windows WHERE subject = p_subject AND endpoint = p_endpoint FOR UPDATE;
       EXIT WHEN FOUND;
     END LOOP;
     v_now := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
     v_hits := ARRAY(SELECT hit FROM unnest(v_hits) AS hit WHERE hit > v_now - 60000 ORDER BY hit);
     IF cardinality(v_hits) >= p_limit THEN
       RETURN GREATEST(1, CEIL((v_hits[1] + 60000 - v_now) / 1000.0))::integer;
     END IF;
     UPDATE rate_windows SET hits = v_hits || v_now WHERE subject = p_subject AND endpoint = p_endpoint;
     RETURN 0;
   END $$`,
  `CREATE FUNCTION admit_request(p_key_hash bytea, p_source text, p_endpoint text, p_scope text, p_limit integer)
   RETURNS TABLE (verdict text, retry_after integer, key_id text, account_id text, environment text)
   LANGUAGE plpgsql AS $$
   DECLARE
     v_key record;
     v_wait integer;
   BEGIN
     SELECT k.id, k.account_id, k.environment, k.scopes, k.last_used_at INTO v_key
       FROM api_keys k JOIN accounts a ON a.id = k.account_id
      WHERE k.key_hash = p_key_hash AND k.revoked_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())
        AND a.status = 'active' AND a.api_access;
     IF NOT FOUND THEN
       v_wait := admit_hit('source:' || p_source, 'authentication', 20);
       RETURN QUERY SELECT CASE WHEN v_wait > 0 THEN 'throttled' ELSE 'unauthorized' END, v_wait, NULL::text, NULL::text, NULL::text;
       RETURN;
     END IF;
     IF p_endpoint IS NULL THEN
       RETURN QUERY SELECT 'unknown_route'::text, 0, v_key.id, v_key.account_id, v_key.environment;
       RETURN;
     END IF;
     IF NOT p_scope = ANY (v_key.scopes) THEN
       RETURN QUERY SELECT 'forbidden'::text, 0, v_key.id, v_key.account_id, v_key.environment;
       RETURN;
     END IF;
     IF v_key.last_used_at IS NULL OR v_key.last_used_at < clock_timestamp() - interval '1 minute' THEN
       UPDATE api_keys SET last_used_at = clock_timestamp() WHERE id = v_key.id;
     END IF;
     v_wait := admit_hit('key:' || v_key.id, p_endpoint, p_limit);
     RETURN QUERY SELECT CASE WHEN v_wait > 0 THEN 'limited' ELSE 'ok' END, v_wait, v_key.id, v_key.account_id, v_key.environment;
   END $$`,
];
