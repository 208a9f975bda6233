import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: a delivery's row can be claimed by a relay for a while, handed over to its order's workflow for retries, and belong to a
 * recovery; failures in a row stand in a table of their own.
 * Why: the delivery rows are the outbox of first attempts (ruling 36). `claim` fences results: one of a relay that was paused past
 * its lease changes nothing. Placing an order reads endpoints, so what the relay writes about them stands elsewhere and makes
 * nobody wait. `epoch` counts how often an endpoint was enabled: a success that was sent before that resets nothing.
 */
export class RelayDeliveries1764100000000 implements MigrationInterface {
  name = 'RelayDeliveries1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...DELIVERIES, ...HEALTH, ...PROCESSES]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('deliveries under way cannot be given back to the workflows of before: restore a backup from before this migration');
  }
}

const DELIVERIES = [
  `CREATE SEQUENCE webhook_claims`,
  `CREATE TABLE webhook_recoveries (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     endpoint_id text NOT NULL REFERENCES webhook_endpoints,
     since timestamptz(3) NOT NULL,
     until_sent timestamptz(3),
     states text[] NOT NULL,
     count integer NOT NULL,
     created_at timestamptz(3) NOT NULL
   )`,
  `CREATE INDEX webhook_recoveries_of_endpoint ON webhook_recoveries (endpoint_id, id)`,
  `ALTER TABLE webhook_deliveries ADD COLUMN claim bigint, ADD COLUMN claimed_until timestamptz(3), ADD COLUMN handed_over_at timestamptz(3),
     ADD COLUMN recovery_id bigint REFERENCES webhook_recoveries`,
  // A claim changes no indexed column: with room on its page it touches no index.
  `ALTER TABLE webhook_deliveries SET (fillfactor = 70)`,
  // What waits for a first attempt, and what waits to be handed over: by endpoint, so that one with a long queue hides no other.
  `CREATE INDEX webhook_deliveries_outbox ON webhook_deliveries (endpoint_id, created_at, id) WHERE state = 'pending' AND attempts = 0`,
  `CREATE INDEX webhook_deliveries_to_hand_over ON webhook_deliveries (endpoint_id, next_attempt_at, id)
     WHERE state = 'pending' AND attempts > 0 AND handed_over_at IS NULL`,
  `CREATE INDEX webhook_deliveries_of_recovery ON webhook_deliveries (recovery_id) WHERE recovery_id IS NOT NULL AND state = 'pending'`,
];

const HEALTH = [
  `CREATE TABLE webhook_endpoint_health (
     endpoint_id text PRIMARY KEY REFERENCES webhook_endpoints,
     consecutive_failures integer NOT NULL DEFAULT 0,
     epoch integer NOT NULL DEFAULT 1
   )`,
  `INSERT INTO webhook_endpoint_health (endpoint_id, consecutive_failures) SELECT id, consecutive_failures FROM webhook_endpoints`,
  `ALTER TABLE webhook_endpoints DROP COLUMN consecutive_failures`,
];

/** Who is at work, for readiness; forgotten by a crash of PostgreSQL and told again within seconds. */
const PROCESSES = [`CREATE UNLOGGED TABLE processes (id text PRIMARY KEY, kind text NOT NULL, seen_at timestamptz(3) NOT NULL)`];
