import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: a delivery has the environment of its endpoint, and the indexes by which all deliveries are listed begin with it; there is one of
 * those that are still tried, too.
 * Why: whoever looks at live webhooks reads a page of them, however many test ones lie between, and counts the failed ones without the
 * others. A list of both environments merges the two.
 *
 * Deliveries that are there get the environment of their endpoint. One that a process of the release before writes gets it by a trigger,
 * which does not run where it is given.
 */
export class DeliveriesByEnvironment1764830000000 implements MigrationInterface {
  name = 'DeliveriesByEnvironment1764830000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...COLUMN, ...INDEXES]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP INDEX webhook_deliveries_newest, webhook_deliveries_stuck, webhook_deliveries_by_error, webhook_deliveries_tried, webhook_deliveries_next_of',
    );
    for (const statement of FORMER) await runner.query(statement);
    await runner.query('DROP TRIGGER webhook_deliveries_environment ON webhook_deliveries');
    await runner.query('DROP FUNCTION fill_delivery_environment');
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN environment');
  }
}

const COLUMN = [
  'ALTER TABLE webhook_deliveries ADD COLUMN environment text',
  // No news of any delivery: nothing that anybody is shown changes.
  'ALTER TABLE webhook_deliveries DISABLE TRIGGER webhook_deliveries_update_news',
  'UPDATE webhook_deliveries d SET environment = w.environment FROM webhook_endpoints w WHERE w.id = d.endpoint_id',
  'ALTER TABLE webhook_deliveries ENABLE TRIGGER webhook_deliveries_update_news',
  `ALTER TABLE webhook_deliveries ALTER COLUMN environment SET NOT NULL, ADD CHECK (environment IN ('live', 'test'))`,
  `CREATE FUNCTION fill_delivery_environment() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     SELECT w.environment INTO NEW.environment FROM webhook_endpoints w WHERE w.id = NEW.endpoint_id;
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER webhook_deliveries_environment BEFORE INSERT ON webhook_deliveries
     FOR EACH ROW WHEN (NEW.environment IS NULL) EXECUTE FUNCTION fill_delivery_environment()`,
];

const INDEXES = [
  'DROP INDEX webhook_deliveries_newest, webhook_deliveries_stuck, webhook_deliveries_by_error',
  'CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (environment, created_at DESC, id DESC)',
  `CREATE INDEX webhook_deliveries_stuck ON webhook_deliveries (environment, state, created_at DESC, id DESC) WHERE state IN ('failed', 'held')`,
  `CREATE INDEX webhook_deliveries_by_error ON webhook_deliveries (environment, error_code, created_at DESC, id DESC) WHERE error_code IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_tried ON webhook_deliveries (environment, created_at DESC, id DESC) WHERE state = 'pending'`,
  `CREATE INDEX webhook_deliveries_next_of ON webhook_deliveries (environment, next_attempt_at, id) WHERE state = 'pending'`,
];

const FORMER = [
  'CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (created_at DESC, id DESC)',
  `CREATE INDEX webhook_deliveries_stuck ON webhook_deliveries (state, created_at DESC, id DESC) WHERE state IN ('failed', 'held')`,
  `CREATE INDEX webhook_deliveries_by_error ON webhook_deliveries (error_code, created_at DESC, id DESC) WHERE error_code IS NOT NULL`,
];
