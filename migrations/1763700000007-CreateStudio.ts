import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The studio's tokens, sessions, settings and audit log, and the changes that its pages follow. */
export class CreateStudio1763700000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const schema of [STUDIO, CHANGES, NOTES, ...ROW_CHANGES.map(triggerOf), DELIVERY_CHANGES, CONTACT_CHANGES])
      await runner.query(schema);
  }

  async down(): Promise<void> {
    throw new Error('drop the database instead');
  }
}

const STUDIO = `
CREATE TABLE studio_tokens (
  id text PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL CHECK (role IN ('floor', 'office', 'admin')),
  kind text NOT NULL DEFAULT 'person' CHECK (kind = 'person' OR (kind = 'station' AND role = 'floor')),
  token_hash bytea NOT NULL CONSTRAINT studio_tokens_hash UNIQUE,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE studio_tokens IS 'Tokens of people, machines and stations of the studio, stored as hashes.';

CREATE TABLE badges (
  id text PRIMARY KEY,
  name text NOT NULL,
  code text NOT NULL CONSTRAINT badges_code UNIQUE,
  created_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
COMMENT ON TABLE badges IS 'Badges of the people at stations. They name a person and give no rights.';

CREATE TABLE studio_sessions (
  id_hash bytea PRIMARY KEY,
  id text NOT NULL CONSTRAINT studio_sessions_id UNIQUE,
  token_id text NOT NULL CONSTRAINT studio_sessions_token REFERENCES studio_tokens,
  source text NOT NULL,
  user_agent text,
  created_at timestamptz(3) NOT NULL,
  authenticated_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3)
);
CREATE INDEX studio_sessions_of_token ON studio_sessions (token_id, created_at, id);
COMMENT ON TABLE studio_sessions IS 'Browsers that are signed in with a token. The session of a station has no end.';

CREATE TABLE settings (name text PRIMARY KEY, value jsonb NOT NULL, updated_at timestamptz(3) NOT NULL);
COMMENT ON TABLE settings IS 'Settings that are changed while the service runs.';

CREATE TABLE service_secrets (name text PRIMARY KEY, value text NOT NULL);
COMMENT ON TABLE service_secrets IS 'Signing keys that the service made for itself, encrypted.';

CREATE TABLE mails_sent (id text PRIMARY KEY, sent_at timestamptz(3) NOT NULL);
COMMENT ON TABLE mails_sent IS 'Mails that were sent or given up, so that each is sent once.';

CREATE TABLE mail_delays (id text PRIMARY KEY, failing_since timestamptz(3) NOT NULL, failed_at timestamptz(3) NOT NULL);
COMMENT ON TABLE mail_delays IS 'Mails with failed attempts. A mail is given up after three days of them.';

-- Unlogged, because processes report again within seconds of a crash.
CREATE UNLOGGED TABLE processes (id text PRIMARY KEY, kind text NOT NULL, seen_at timestamptz(3) NOT NULL);
COMMENT ON TABLE processes IS 'Running workers, relays and inspectors, for readiness.';

CREATE TABLE backups (finished_at timestamptz(3) PRIMARY KEY, bytes bigint NOT NULL);
COMMENT ON TABLE backups IS 'Database dumps. The backup job records each one. An alert reads the age of the latest.';

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz(3) NOT NULL,
  actor_id text NOT NULL,
  actor text NOT NULL,
  badge_id text,
  action text NOT NULL,
  subject text NOT NULL,
  request_id text NOT NULL,
  before jsonb,
  after jsonb
);
COMMENT ON TABLE audit_log IS 'Who of the studio changed what, and when.';
CREATE INDEX audit_log_newest ON audit_log (at DESC, id DESC);
CREATE INDEX audit_log_by_actor_id ON audit_log (actor_id, at DESC, id DESC);
CREATE INDEX audit_log_by_actor ON audit_log (search_form(actor), at DESC, id DESC);
CREATE INDEX audit_log_by_subject ON audit_log (subject, at DESC, id DESC);
CREATE INDEX audit_log_by_action ON audit_log (action, at DESC, id DESC);

-- The service's role may only add to the audit log. This function runs as the owner and erases the texts of erased orders.
CREATE FUNCTION erase_audited_texts(p_orders text[]) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE public.audit_log SET after = after
      || (SELECT COALESCE(jsonb_object_agg(field, '"[erased]"'::jsonb), '{}') FROM unnest(ARRAY['note', 'reason', 'trackingNumber']) field WHERE after->>field IS NOT NULL)
      || CASE WHEN after->>'trackingUrl' IS NULL THEN '{}'::jsonb ELSE '{"trackingUrl": null}' END
   WHERE after IS NOT NULL
     AND subject IN (SELECT id FROM public.orders WHERE id = ANY (p_orders) AND erased_at IS NOT NULL)
$$;
`;

/**
 * Triggers write a row for each change that the studio's pages show. NOTIFY would take a lock that makes all commits wait for each other.
 * The table is unlogged, because its readers start again after a crash.
 */
const CHANGES = `
CREATE UNLOGGED TABLE change_feed (
  xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  kind text NOT NULL,
  ids text[]
);
COMMENT ON TABLE change_feed IS 'Changes of the last two minutes, by kind and ids, for the studio''s event stream.';
CREATE INDEX change_feed_by_transaction ON change_feed (xact);
`;

/** A note is part of the search text of its order. The GIN index is for notes on accounts, which the list of accounts searches. */
const NOTES = `
CREATE TABLE notes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id text REFERENCES orders,
  account_id text REFERENCES accounts,
  note_id text NOT NULL,
  text text NOT NULL,
  author text NOT NULL,
  pinned boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT notes_of_one CHECK (num_nonnulls(order_id, account_id) = 1),
  CONSTRAINT notes_once UNIQUE NULLS NOT DISTINCT (order_id, account_id, note_id)
);
COMMENT ON TABLE notes IS 'Notes of the studio, each on an order or an account. Clients never see them.';
CREATE INDEX notes_by_text ON notes USING gin (search_form(text) gin_trgm_ops) WITH (fastupdate = off) WHERE account_id IS NOT NULL;
CREATE INDEX notes_of_account ON notes (account_id) WHERE account_id IS NOT NULL;

CREATE FUNCTION record_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_order_id text;
  v_account_id text;
BEGIN
  IF TG_OP = 'DELETE' THEN
    v_order_id := OLD.order_id;
    v_account_id := OLD.account_id;
  ELSE
    v_order_id := NEW.order_id;
    v_account_id := NEW.account_id;
  END IF;
  IF v_order_id IS NULL THEN
    INSERT INTO change_feed (kind, ids) VALUES ('account', ARRAY[[v_account_id]]);
  ELSE
    INSERT INTO change_feed (kind, ids) VALUES ('order', ARRAY[[v_order_id]]);
    PERFORM search_order(v_order_id);
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER notes_changed AFTER INSERT OR UPDATE OR DELETE ON notes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_note();
`;

interface RowChange {
  table: string;
  kind: string;
  ids: string;
  /** The columns whose changes are recorded; absent for new rows. */
  columns?: readonly string[];
}

const INVOICE = { table: 'invoices', kind: 'invoice', ids: 'NEW.id, NEW.order_id, NEW.account_id' };
const ENDPOINT = { table: 'webhook_endpoints', kind: 'endpoint', ids: 'NEW.id, NEW.account_id' };

const ROW_CHANGES: readonly RowChange[] = [
  { table: 'orders', kind: 'order', ids: 'NEW.id' },
  {
    table: 'orders',
    kind: 'order',
    ids: 'NEW.id',
    columns: ['version', 'updated_at', 'confirmation_sent_at', 'confirmation_failed_at', 'erased_at'],
  },
  { table: 'parcels', kind: 'order', ids: 'NEW.order_id', columns: ['delivered_at'] },
  // A refused message changes the timeline only.
  { table: 'order_timeline', kind: 'order', ids: 'NEW.order_id' },
  { table: 'order_attention', kind: 'attention', ids: `NEW.order_id, NEW.code, 'raised'` },
  {
    table: 'order_attention',
    kind: 'attention',
    ids: `NEW.order_id, NEW.code, CASE WHEN NEW.cleared_at IS NULL THEN 'raised' ELSE 'cleared' END`,
    columns: ['cleared_at'],
  },
  { table: 'webhook_deliveries', kind: 'delivery', ids: 'NEW.id, NEW.order_id' },
  INVOICE,
  { ...INVOICE, columns: ['paid_cents', 'credited_cents', 'voided_cents', 'voided_at'] },
  { table: 'accounts', kind: 'account', ids: 'NEW.id' },
  {
    table: 'accounts',
    kind: 'account',
    ids: 'NEW.id',
    columns: [
      'name',
      'email',
      'trade_discount_bps',
      'credit_limit_cents',
      'payment_terms_days',
      'status',
      'api_access',
      'billing_address',
      'abn',
      'ready_mail',
      'default_reference',
      'reminders',
    ],
  },
  { table: 'account_payments', kind: 'account', ids: 'NEW.account_id' },
  { table: 'account_payments', kind: 'account', ids: 'NEW.account_id', columns: ['unapplied_cents', 'reversed_at'] },
  { table: 'sends', kind: 'account', ids: 'NEW.account_id' },
  { table: 'sends', kind: 'account', ids: 'NEW.account_id', columns: ['state', 'erased_at'] },
  { table: 'statement_runs', kind: 'run', ids: 'NEW.id' },
  { table: 'statement_runs', kind: 'run', ids: 'NEW.id', columns: ['state'] },
  { table: 'refunds', kind: 'account', ids: 'NEW.account_id' },
  { table: 'refunds', kind: 'account', ids: 'NEW.account_id', columns: ['reversed_at'] },
  ENDPOINT,
  { ...ENDPOINT, columns: ['state', 'url', 'updated_at', 'deleted_at'] },
];

function triggerOf({ table, kind, ids, columns }: RowChange): string {
  const name = `${table}_${columns === undefined ? 'insert' : 'update'}_feed`;
  const row = (version: string): string => `(${columns?.map((column) => `${version}.${column}`).join(', ')})`;
  const event = columns === undefined ? 'INSERT' : `UPDATE OF ${columns.join(', ')}`;
  const condition = columns === undefined ? '' : `WHEN (${row('OLD')} IS DISTINCT FROM ${row('NEW')})`;
  return `
CREATE FUNCTION record_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_feed (kind, ids) VALUES ('${kind}', ARRAY[[${ids}]]);
  RETURN NULL;
END $$;
CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW ${condition} EXECUTE FUNCTION record_${name}();
`;
}

/**
 * One statement changes hundreds of deliveries, so it writes one row for all of them. Above 500 the ids are null, because EXCEPT takes
 * longer with each row.
 */
const DELIVERY_COLUMNS = 'id, order_id, state, chain, attempts, next_attempt_at';
const DELIVERY_CHANGES = `
CREATE FUNCTION record_webhook_deliveries_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_feed (kind, ids)
  SELECT 'delivery', CASE WHEN count(*) <= 500 THEN array_agg(ARRAY[id, order_id]) END
    FROM (SELECT ${DELIVERY_COLUMNS} FROM now_rows EXCEPT SELECT ${DELIVERY_COLUMNS} FROM old_rows LIMIT 501) changed HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_deliveries_update_feed AFTER UPDATE ON webhook_deliveries REFERENCING OLD TABLE AS old_rows NEW TABLE AS now_rows
  FOR EACH STATEMENT EXECUTE FUNCTION record_webhook_deliveries_update();
`;

/** A change of the list of contacts deletes rows and inserts others. */
const CONTACT_CHANGES = `
CREATE FUNCTION record_account_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_feed (kind, ids) VALUES ('account', ARRAY[[COALESCE(NEW.account_id, OLD.account_id)]]);
  RETURN NULL;
END $$;
CREATE TRIGGER account_contacts_feed AFTER INSERT OR DELETE ON account_contacts FOR EACH ROW EXECUTE FUNCTION record_account_contacts();
`;
