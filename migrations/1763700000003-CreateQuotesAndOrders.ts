import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Quotes, orders, what happens to orders, and the search for orders. */
export class CreateQuotesAndOrders1763700000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const schema of [QUOTES, ORDERS, MESSAGES, SEARCH]) await runner.query(schema);
  }

  async down(): Promise<void> {
    throw new Error('drop the database instead');
  }
}

const QUOTES = `
CREATE TABLE quotes (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  key_id text NOT NULL REFERENCES api_keys,
  currency text NOT NULL,
  pricing_version integer NOT NULL REFERENCES price_books,
  lines jsonb NOT NULL,
  jobs jsonb NOT NULL,
  breakdown jsonb NOT NULL,
  shipping_address jsonb NOT NULL,
  reference text,
  metadata jsonb NOT NULL DEFAULT '{}',
  shipping_method text,
  is_collection boolean NOT NULL,
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
  delivery_earliest text,
  delivery_latest text,
  due_date text,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  consumed_at timestamptz(3),
  expired_at timestamptz(3),
  erased_at timestamptz(3),
  address_erased_at timestamptz(3),
  CONSTRAINT quotes_total CHECK (total_cents = subtotal_cents - discount_cents + shipping_cents + rush_fee_cents)
);
COMMENT ON TABLE quotes IS 'Prices that hold until expires_at. An order consumes its quote.';
CREATE INDEX quotes_of_account ON quotes (account_id, created_at);
CREATE INDEX quotes_by_age ON quotes (environment, created_at, id);
CREATE INDEX quotes_with_address ON quotes (expires_at) WHERE consumed_at IS NULL AND address_erased_at IS NULL;
`;

const ORDERS = `
CREATE SEQUENCE order_numbers_live START 10001;
CREATE SEQUENCE order_numbers_test START 10001;

-- An order whose workflow_checked_at is null has no workflow yet. Until workflow_claimed_until, one process is starting it.
CREATE TABLE orders (
  id text PRIMARY KEY,
  order_number text COLLATE "C" NOT NULL UNIQUE,
  account_id text NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  quote_id text CONSTRAINT orders_one_per_quote UNIQUE REFERENCES quotes,
  status text NOT NULL CHECK (status IN ('received', 'in_production', 'on_hold', 'shipped', 'completed', 'cancelled')),
  base_status text NOT NULL CHECK (base_status IN ('received', 'in_production', 'on_hold', 'completed', 'cancelled')),
  held_from text CHECK (held_from IN ('received', 'in_production')),
  printed boolean NOT NULL DEFAULT false,
  printed_lines integer[] NOT NULL DEFAULT '{}',
  stage text CHECK (stage IN ('printed', 'framed', 'checked', 'ready')),
  stage_lines jsonb NOT NULL DEFAULT '{"printed": [], "framed": [], "checked": [], "ready": []}',
  version integer NOT NULL DEFAULT 1,
  event_sequence integer NOT NULL DEFAULT 1,
  remake_floor integer NOT NULL DEFAULT 0,
  reported_issues text[] NOT NULL DEFAULT '{}',
  special_instructions text,
  reference text,
  metadata jsonb NOT NULL DEFAULT '{}',
  currency text NOT NULL,
  lines jsonb NOT NULL,
  subtotal_cents bigint NOT NULL,
  discount_cents bigint NOT NULL,
  shipping_cents bigint NOT NULL,
  shipping_method text,
  is_collection boolean NOT NULL,
  rush_fee_cents bigint NOT NULL,
  total_cents bigint NOT NULL,
  gst_cents bigint NOT NULL,
  promised_ready_date text,
  delivery_earliest text,
  delivery_latest text,
  due_date text,
  white_label boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  settled_at timestamptz(3),
  erased_at timestamptz(3),
  confirmation_sent_at timestamptz(3),
  confirmation_failed_at timestamptz(3),
  confirmation_failure text,
  ready_mail_due_since timestamptz(3),
  workflow_checked_at timestamptz(3),
  workflow_claimed_until timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT orders_total CHECK (total_cents = subtotal_cents - discount_cents + shipping_cents + rush_fee_cents),
  CONSTRAINT orders_printed CHECK (printed = (cardinality(printed_lines) = jsonb_array_length(lines))),
  CONSTRAINT orders_without_quote_are_free CHECK (quote_id IS NOT NULL OR total_cents = 0)
);
COMMENT ON TABLE orders IS 'Placed orders and remakes. Remakes have no quote.';
CREATE INDEX orders_newest_first ON orders (account_id, environment, created_at DESC, id DESC);
CREATE INDEX orders_by_status ON orders (account_id, environment, status, created_at DESC, id DESC);
CREATE INDEX orders_studio ON orders (environment, created_at DESC, id DESC);
CREATE INDEX orders_of_status ON orders (environment, (CASE base_status WHEN 'completed' THEN 'completed' ELSE status END), created_at DESC, id DESC)
  INCLUDE (total_cents, base_status, status, quote_id);
CREATE INDEX orders_of_reference ON orders (account_id, environment, reference, created_at DESC, id DESC) WHERE reference IS NOT NULL;
CREATE INDEX orders_due ON orders (environment, due_date, id) WHERE status IN ('received', 'in_production', 'on_hold');
CREATE INDEX orders_with_workflow ON orders (workflow_checked_at) WHERE settled_at IS NULL OR settled_at >= workflow_checked_at;
CREATE INDEX orders_confirmed_then_cancelled ON orders (account_id, confirmation_sent_at) WHERE base_status = 'cancelled' AND confirmation_sent_at IS NOT NULL;
CREATE INDEX orders_with_ready_mail ON orders (ready_mail_due_since) WHERE ready_mail_due_since IS NOT NULL;
CREATE INDEX orders_without_workflow ON orders (workflow_claimed_until) WHERE workflow_checked_at IS NULL;

CREATE TABLE remakes (
  order_id text PRIMARY KEY REFERENCES orders,
  original_id text NOT NULL REFERENCES orders,
  sequence integer NOT NULL CHECK (sequence > 0),
  remake_id text NOT NULL,
  digest text NOT NULL,
  reason text NOT NULL,
  lines jsonb NOT NULL,
  jobs jsonb NOT NULL,
  shipping_address jsonb NOT NULL,
  CONSTRAINT remakes_sequence_once UNIQUE (original_id, sequence),
  CONSTRAINT remakes_once UNIQUE (original_id, remake_id)
);
COMMENT ON TABLE remakes IS 'Orders that the studio makes again free of charge, with their original.';

CREATE TABLE parcels (
  order_id text NOT NULL REFERENCES orders,
  id text NOT NULL,
  position integer NOT NULL,
  tracking_number text NOT NULL,
  carrier text,
  tracking_url text,
  lines jsonb,
  shipped_at timestamptz(3),
  delivered_at timestamptz(3),
  voided_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (order_id, id)
);
COMMENT ON TABLE parcels IS 'Parcels of orders. lines is [{ line, quantity }] with lines counted from 0, or null when unknown.';

-- A change has been applied once applied_at is set. Until then a repeated request finds its change by the key.
CREATE TABLE order_changes (
  id text PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders,
  account_id text NOT NULL REFERENCES accounts,
  idempotency_key text NOT NULL,
  fingerprint text NOT NULL,
  content jsonb NOT NULL,
  replaced jsonb,
  created_at timestamptz(3) NOT NULL,
  applied_at timestamptz(3),
  CONSTRAINT order_changes_replaced CHECK ((replaced IS NULL) = (applied_at IS NULL))
);
COMMENT ON TABLE order_changes IS 'Changes that clients make before production, and what they replaced.';
CREATE INDEX order_changes_of_order ON order_changes (order_id, applied_at);
CREATE UNIQUE INDEX order_changes_open ON order_changes (account_id, idempotency_key) WHERE applied_at IS NULL;

CREATE TABLE idempotency_records (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  idempotency_key text NOT NULL,
  fingerprint text NOT NULL,
  order_id text NOT NULL,
  response_status integer NOT NULL,
  response_body text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT idempotency_one_per_key UNIQUE (account_id, idempotency_key)
);
COMMENT ON TABLE idempotency_records IS 'Responses by Idempotency-Key, for replays.';
CREATE INDEX idempotency_expiry ON idempotency_records (expires_at);
`;

const MESSAGES = `
-- Has only messages in progress and those of a day's interrupted requests, so it needs no index. A foreign key would wait for a locked order.
CREATE TABLE order_messages (
  id text PRIMARY KEY,
  order_id text NOT NULL,
  content jsonb NOT NULL,
  credential_id text NOT NULL,
  badge_id text,
  request_id text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE order_messages IS 'Messages that the API is sending to order workflows, with the studio token or API key of the sender.';

CREATE TABLE order_timeline (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders,
  milestone_id text NOT NULL,
  message_key text NOT NULL,
  type text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('applied', 'refused')),
  reason text,
  content text NOT NULL,
  digest text,
  actor text NOT NULL,
  token_id text,
  badge_id text,
  occurred_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT order_timeline_digest CHECK (outcome <> 'applied' OR digest IS NOT NULL)
);
COMMENT ON TABLE order_timeline IS 'Messages to orders, applied or refused. The digest identifies a repeated message, also after its text was erased.';
CREATE UNIQUE INDEX order_timeline_applied_once ON order_timeline (order_id, message_key) WHERE outcome = 'applied';
CREATE UNIQUE INDEX order_timeline_refused_once ON order_timeline (order_id, milestone_id, content, reason) WHERE outcome = 'refused';
CREATE INDEX order_timeline_of_order ON order_timeline (order_id, id);

CREATE TABLE order_attention (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  code text NOT NULL,
  subject text NOT NULL,
  message text NOT NULL,
  raised_at timestamptz(3) NOT NULL,
  mailed_at timestamptz(3),
  cleared_at timestamptz(3),
  cleared_by text,
  note text
);
COMMENT ON TABLE order_attention IS 'Problems of orders that need a person. A problem is raised once while it is open. mailed_at is when its client was mailed.';
CREATE UNIQUE INDEX order_attention_once ON order_attention (order_id, code, subject) WHERE cleared_at IS NULL;
CREATE INDEX order_attention_open ON order_attention (environment, raised_at, id) WHERE cleared_at IS NULL;
CREATE INDEX order_attention_to_mail ON order_attention (raised_at, id)
  WHERE code IN ('ARTWORK_MISSING', 'ARTWORK_REJECTED') AND environment = 'live' AND cleared_at IS NULL AND mailed_at IS NULL;
CREATE FUNCTION note_attention_environment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT environment INTO NEW.environment FROM orders WHERE id = NEW.order_id;
  RETURN NEW;
END $$;
CREATE TRIGGER order_attention_environment BEFORE INSERT ON order_attention FOR EACH ROW EXECUTE FUNCTION note_attention_environment();

-- Transactions do not commit in the order of their times or sequence numbers, so an event gets its feed_position after the commit.
-- Events about issues leave sequence as it is. part counts those with the same sequence from 1.
CREATE TABLE order_events (
  id text PRIMARY KEY,
  order_id text NOT NULL REFERENCES orders,
  account_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  sequence integer NOT NULL,
  part integer NOT NULL DEFAULT 0,
  type text NOT NULL,
  body text NOT NULL,
  trace_context text,
  feed_position bigint,
  created_at timestamptz(3) NOT NULL,
  UNIQUE (order_id, sequence, part)
);
COMMENT ON TABLE order_events IS 'Events of orders with the exact body that webhooks send. trace_context is the traceparent of the change.';
CREATE INDEX order_events_without_position ON order_events (account_id, environment, created_at, id) WHERE feed_position IS NULL;
CREATE UNIQUE INDEX order_events_by_position ON order_events (account_id, environment, feed_position) WHERE feed_position IS NOT NULL;
`;

/**
 * Search texts have their own table, so that a status change of an order does not write their index. Triggers write the texts at the
 * commit. The GIN indexes have no pending list, because the order that fills it would have to wait for its flush.
 */
const SEARCH = String.raw`
CREATE TABLE order_search (
  order_id text PRIMARY KEY REFERENCES orders,
  environment text NOT NULL,
  account_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  text text NOT NULL
);
COMMENT ON TABLE order_search IS 'The text by which the studio finds an order: numbers, recipient, address, phone, references, tracking numbers, payments, amounts, notes.';

CREATE FUNCTION search_amount(cents bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (cents / 100) || '.' || lpad((cents % 100)::text, 2, '0');

-- An erased order is found by its numbers only.
CREATE FUNCTION order_search_text(o orders) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_numbers text := concat_ws(E'\n', o.order_number, (SELECT i.invoice_number FROM invoices i WHERE i.order_id = o.id),
    (SELECT string_agg(n.credit_note_number, E'\n' ORDER BY n.created_at, n.id) FROM credit_notes n WHERE n.order_id = o.id));
  v_to jsonb;
BEGIN
  IF o.erased_at IS NOT NULL THEN
    RETURN search_form(v_numbers);
  END IF;
  IF o.quote_id IS NULL THEN
    SELECT r.shipping_address INTO v_to FROM remakes r WHERE r.order_id = o.id;
  ELSE
    SELECT q.shipping_address INTO v_to FROM quotes q WHERE q.id = o.quote_id;
  END IF;
  RETURN search_form(concat_ws(E'\n', v_numbers, v_to->>'name', v_to->>'company', v_to->>'email',
    v_to->>'line1', v_to->>'line2', v_to->>'city', v_to->>'state', v_to->>'postcode', o.reference,
    (SELECT string_agg(DISTINCT line->>'externalReference', E'\n') FROM jsonb_array_elements(o.lines) line),
    (SELECT string_agg(p.tracking_number, E'\n' ORDER BY p.position) FROM parcels p WHERE p.order_id = o.id),
    search_amount(o.total_cents),
    (SELECT string_agg(concat_ws(E'\n', y.id, COALESCE(y.reference, r.reference), search_amount(y.amount_cents), search_amount(r.amount_cents)), E'\n' ORDER BY y.created_at, y.id)
       FROM payments y LEFT JOIN account_payments r ON r.id = y.account_payment_id WHERE y.order_id = o.id),
    (SELECT string_agg(search_amount(n.amount_cents), E'\n' ORDER BY n.created_at, n.id) FROM credit_notes n WHERE n.order_id = o.id),
    (SELECT string_agg(n.text, E'\n' ORDER BY n.id) FROM notes n WHERE n.order_id = o.id),
    v_to->>'phone', regexp_replace(replace(normalize(v_to->>'phone', NFKD), '(0)', ''), '\D', '', 'g')));
END $$;

CREATE FUNCTION search_order(p_order_id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_search (order_id, environment, account_id, created_at, text)
  SELECT o.id, o.environment, o.account_id, o.created_at, order_search_text(o) FROM orders o WHERE o.id = p_order_id
  ON CONFLICT (order_id) DO UPDATE SET text = EXCLUDED.text WHERE order_search.text <> EXCLUDED.text;
END $$;

CREATE FUNCTION search_orders_of() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM search_order(NEW.id);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER orders_searched AFTER INSERT OR UPDATE OF erased_at, lines, reference ON orders
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION search_orders_of();

CREATE FUNCTION search_order_of_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM search_order(NEW.order_id);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER parcels_searched AFTER INSERT OR UPDATE OF tracking_number ON parcels
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION search_order_of_record();

CREATE INDEX order_search_newest ON order_search (environment, created_at DESC, order_id DESC);
CREATE INDEX order_search_text ON order_search USING gin (text gin_trgm_ops) WITH (fastupdate = off);

-- Each reference is prefixed with account and environment, so that a common one such as "1" does not match the orders of other accounts.
-- The high cost makes the planner use this index instead of scanning the newest orders.
CREATE FUNCTION order_references(account_id text, environment text, lines jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
  SELECT array_agg(DISTINCT account_id || ' ' || environment || ' ' || (line->>'externalReference'))
    FROM jsonb_array_elements(lines) line WHERE line->>'externalReference' IS NOT NULL
$$;
CREATE INDEX orders_by_reference ON orders USING gin (order_references(account_id, environment, lines)) WITH (fastupdate = off);
`;
