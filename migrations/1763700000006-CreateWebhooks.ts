import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhook endpoints, deliveries and attempts. Delivery rows are the outbox of first attempts. */
export class CreateWebhooks1763700000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const schema of [ENDPOINTS, DELIVERIES, ATTEMPTS]) await runner.query(schema);
  }

  async down(): Promise<void> {
    throw new Error('drop the database instead');
  }
}

const ENDPOINTS = `
CREATE TABLE webhook_endpoints (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  url text NOT NULL,
  event_types text[],
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz(3),
  state text NOT NULL DEFAULT 'enabled' CHECK (state IN ('enabled', 'disabled')),
  disabled_reason text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3)
);
COMMENT ON TABLE webhook_endpoints IS 'Where accounts receive webhooks, with their encrypted secrets.';
CREATE INDEX webhook_endpoints_listening ON webhook_endpoints (account_id, environment) WHERE deleted_at IS NULL;

-- Health has its own table, so that placing an order, which reads endpoints, does not wait for the relay. epoch counts how often an
-- endpoint was enabled. A success of an earlier epoch does not reset the failures.
CREATE TABLE webhook_endpoint_health (
  endpoint_id text PRIMARY KEY REFERENCES webhook_endpoints,
  consecutive_failures integer NOT NULL DEFAULT 0,
  epoch integer NOT NULL DEFAULT 1,
  failing_since timestamptz(3),
  failing_mailed_at timestamptz(3)
);
COMMENT ON TABLE webhook_endpoint_health IS 'Failures in a row of each endpoint, and whether the studio was mailed about them.';
`;

const DELIVERIES = `
-- Each claim has a number. The results of a relay that was paused beyond its lease have an old number and change nothing.
CREATE SEQUENCE webhook_claims;

CREATE TABLE webhook_recoveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id text NOT NULL REFERENCES webhook_endpoints,
  since timestamptz(3) NOT NULL,
  until_sent timestamptz(3),
  states text[] NOT NULL,
  count integer NOT NULL,
  created_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE webhook_recoveries IS 'Requests to send an endpoint''s missed events again.';

-- chain counts how often a delivery's retries were started. Results of an older chain are logged and change nothing.
-- deleted_attempt_* is the newest attempt that the retention has deleted.
-- A claim changes no indexed column. With free space on the page, it writes no index.
CREATE TABLE webhook_deliveries (
  id text PRIMARY KEY,
  event_id text NOT NULL REFERENCES order_events,
  order_id text NOT NULL REFERENCES orders,
  endpoint_id text NOT NULL REFERENCES webhook_endpoints,
  environment text NOT NULL CHECK (environment IN ('live', 'test')),
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'held')),
  trigger text NOT NULL CHECK (trigger IN ('automatic', 'resend', 'recover')),
  recovery_id bigint REFERENCES webhook_recoveries,
  chain integer NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  error_code text,
  next_attempt_at timestamptz(3),
  claim bigint,
  claimed_until timestamptz(3),
  handed_over_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  completed_at timestamptz(3),
  deleted_attempt_at timestamptz(3),
  deleted_attempt_status integer,
  deleted_attempt_error text,
  UNIQUE (event_id, endpoint_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE webhook_deliveries IS 'One event to one endpoint, with all its attempts. error_code is how the last failed attempt ended.';

-- For the relay. Sorted by endpoint, so that the long queue of one endpoint does not hide the others.
CREATE INDEX webhook_deliveries_outbox ON webhook_deliveries (endpoint_id, created_at, id) WHERE state = 'pending' AND attempts = 0;
CREATE INDEX webhook_deliveries_to_hand_over ON webhook_deliveries (endpoint_id, next_attempt_at, id)
  WHERE state = 'pending' AND attempts > 0 AND handed_over_at IS NULL;
CREATE INDEX webhook_deliveries_of_order ON webhook_deliveries (order_id);
-- For the studio's lists and counts.
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (environment, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (environment, state, created_at DESC, id DESC)
  WHERE state IN ('pending', 'failed', 'held');
CREATE INDEX webhook_deliveries_by_error ON webhook_deliveries (environment, error_code, created_at DESC, id DESC) WHERE error_code IS NOT NULL;
CREATE INDEX webhook_deliveries_next ON webhook_deliveries (environment, next_attempt_at, id) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_stuck_at ON webhook_deliveries (endpoint_id, state) WHERE state IN ('failed', 'held');
CREATE INDEX webhook_deliveries_retried ON webhook_deliveries (endpoint_id) WHERE state = 'pending' AND attempts > 0;
`;

const ATTEMPTS = `
CREATE TABLE webhook_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id text REFERENCES webhook_deliveries,
  endpoint_id text NOT NULL REFERENCES webhook_endpoints,
  chain integer NOT NULL,
  number integer NOT NULL,
  trigger text NOT NULL CHECK (trigger IN ('automatic', 'resend', 'recover', 'ping')),
  at timestamptz(3) NOT NULL,
  ok boolean NOT NULL,
  status integer,
  error_code text,
  timings jsonb NOT NULL,
  reply_excerpt text,
  next_attempt_at timestamptz(3)
);
COMMENT ON TABLE webhook_attempts IS 'Every request to an endpoint and its result. A ping has no delivery.';
CREATE INDEX webhook_attempts_of_delivery ON webhook_attempts (delivery_id, id);
CREATE INDEX webhook_attempts_of_endpoint ON webhook_attempts (endpoint_id, id);
CREATE INDEX webhook_attempts_failed ON webhook_attempts (endpoint_id, id) WHERE NOT ok;

CREATE FUNCTION note_failed_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhook_deliveries SET error_code = NEW.error_code WHERE id = NEW.delivery_id AND error_code IS DISTINCT FROM NEW.error_code;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_attempts_failed AFTER INSERT ON webhook_attempts
  FOR EACH ROW WHEN (NOT NEW.ok AND NEW.delivery_id IS NOT NULL) EXECUTE FUNCTION note_failed_attempt();
`;
