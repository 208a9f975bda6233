import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: idempotency records exist only for orders that were placed; orders and quotes say whether their workflow has been
 * started; the timeline knows each message by a digest.
 * Why: placing an order is one transaction in the API (ruling 34), so no claim outlives its request. Its workflow is started
 * after the commit; where that was lost, whoever finds `workflow_seen_at` null starts it. `…_claimed_until` runs by the
 * database's clock and keeps two processes from starting the same one at once. A repeat of a message is told from a reuse of its
 * id by the digest (ruling 48), which stays when a message's text is one day erased.
 */
export class PlaceInTheApi1764000000000 implements MigrationInterface {
  name = 'PlaceInTheApi1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...RECORDS, ...STARTS, ...TIMELINE]) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('claims cannot be made again: restore a backup from before this migration');
  }
}

const RECORDS = [
  `DELETE FROM idempotency_records WHERE state = 'claimed'`,
  `ALTER TABLE idempotency_records DROP COLUMN state, DROP COLUMN claimed_until, DROP COLUMN special_instructions,
     ALTER COLUMN order_id SET NOT NULL, ALTER COLUMN response_status SET NOT NULL, ALTER COLUMN response_body SET NOT NULL`,
];

const STARTS = [
  `ALTER TABLE orders ADD COLUMN workflow_seen_at timestamptz(3), ADD COLUMN workflow_claimed_until timestamptz(3) NOT NULL DEFAULT now()`,
  `UPDATE orders SET workflow_seen_at = created_at`,
  `CREATE INDEX orders_without_workflow ON orders (workflow_claimed_until) WHERE workflow_seen_at IS NULL`,
  `ALTER TABLE quotes ADD COLUMN hold_claimed_until timestamptz(3) NOT NULL DEFAULT now()`,
  `DROP INDEX quotes_without_hold`,
  `CREATE INDEX quotes_without_hold ON quotes (hold_claimed_until) WHERE hold_started_at IS NULL AND consumed_at IS NULL AND expired_at IS NULL`,
];

const TIMELINE = [
  `ALTER TABLE order_timeline ADD COLUMN digest text`,
  `UPDATE order_timeline SET digest = encode(sha256(convert_to(content, 'UTF8')), 'hex') WHERE outcome = 'applied'`,
  `ALTER TABLE order_timeline ADD CONSTRAINT order_timeline_digest CHECK (outcome <> 'applied' OR digest IS NOT NULL)`,
];
