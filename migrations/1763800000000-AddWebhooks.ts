import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: endpoints, deliveries and the attempt log of webhooks.
 * Why: a delivery's row is written in the transaction of the status change it tells of, so that a lost workflow start can
 * never lose an event: whoever finds a pending row without a workflow starts one.
 *
 * `chain` counts the starts of a delivery's retry chain (first, resends, recoveries): what an older chain still reports is
 * logged but changes nothing. The secret is kept as text, because every attempt signs with it.
 */
export class AddWebhooks1763800000000 implements MigrationInterface {
  name = 'AddWebhooks1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_attempts, webhook_deliveries, webhook_endpoints');
  }
}

const STATEMENTS = [
  `CREATE TABLE webhook_endpoints (
     id text PRIMARY KEY,
     account_id text NOT NULL REFERENCES accounts,
     environment text NOT NULL CHECK (environment IN ('live', 'test')),
     url text NOT NULL,
     secret text NOT NULL,
     previous_secret text,
     previous_secret_until timestamptz(3),
     state text NOT NULL DEFAULT 'enabled' CHECK (state IN ('enabled', 'disabled')),
     disabled_reason text,
     consecutive_failures integer NOT NULL DEFAULT 0,
     created_at timestamptz(3) NOT NULL,
     updated_at timestamptz(3) NOT NULL,
     deleted_at timestamptz(3)
   )`,
  `CREATE INDEX webhook_endpoints_listening ON webhook_endpoints (account_id, environment) WHERE deleted_at IS NULL`,
  `CREATE TABLE webhook_deliveries (
     id text PRIMARY KEY,
     event_id text NOT NULL REFERENCES order_events,
     order_id text NOT NULL REFERENCES orders,
     endpoint_id text NOT NULL REFERENCES webhook_endpoints,
     state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'held')),
     trigger text NOT NULL CHECK (trigger IN ('automatic', 'resend', 'recover')),
     chain integer NOT NULL DEFAULT 1,
     attempts integer NOT NULL DEFAULT 0,
     next_attempt_at timestamptz(3),
     created_at timestamptz(3) NOT NULL,
     completed_at timestamptz(3),
     UNIQUE (event_id, endpoint_id)
   )`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE state = 'pending'`,
  `CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (created_at DESC, id DESC)`,
  `CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, created_at DESC, id DESC)`,
  `CREATE INDEX webhook_deliveries_of_order ON webhook_deliveries (order_id)`,
  `CREATE TABLE webhook_attempts (
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
   )`,
  `CREATE INDEX webhook_attempts_of_delivery ON webhook_attempts (delivery_id, id)`,
  `CREATE INDEX webhook_attempts_of_endpoint ON webhook_attempts (endpoint_id, id)`,
];
