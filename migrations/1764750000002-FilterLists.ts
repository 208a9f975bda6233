import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: indexes by which the studio's lists are filtered: the audit log by who, what and when, deliveries by state and by how they failed.
 * A delivery says how its last failed attempt ended.
 * Why: none of these lists may read all of a table that grows with every order. The error is set by a trigger that runs for failed attempts
 * only, whoever writes them; what succeeds at once costs nothing more.
 *
 * Deliveries that have not succeeded get their error now; those delivered long ago stay without.
 */
export class FilterLists1764750000002 implements MigrationInterface {
  name = 'FilterLists1764750000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...AUDIT, ...DELIVERIES]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_log_newest, audit_log_by_actor_id, audit_log_by_actor, audit_log_by_subject, audit_log_by_action');
    await runner.query('CREATE INDEX audit_log_of_subject ON audit_log (subject, id)');
    await runner.query(
      'DROP INDEX webhook_deliveries_stuck, webhook_deliveries_stuck_at, webhook_deliveries_retried, webhook_attempts_failed',
    );
    await runner.query('DROP TRIGGER webhook_attempts_failed ON webhook_attempts');
    await runner.query('DROP FUNCTION note_failed_attempt');
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN error_code');
  }
}

const AUDIT = [
  'DROP INDEX audit_log_of_subject',
  'CREATE INDEX audit_log_newest ON audit_log (at DESC, id DESC)',
  ...['actor_id', 'actor', 'subject', 'action'].map(
    (column) => `CREATE INDEX audit_log_by_${column} ON audit_log (${column}, at DESC, id DESC)`,
  ),
];

const DELIVERIES = [
  'ALTER TABLE webhook_deliveries ADD COLUMN error_code text',
  `CREATE FUNCTION note_failed_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE webhook_deliveries SET error_code = NEW.error_code WHERE id = NEW.delivery_id AND error_code IS DISTINCT FROM NEW.error_code;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER webhook_attempts_failed AFTER INSERT ON webhook_attempts
     FOR EACH ROW WHEN (NOT NEW.ok AND NEW.delivery_id IS NOT NULL) EXECUTE FUNCTION note_failed_attempt()`,
  `UPDATE webhook_deliveries d SET error_code = (SELECT t.error_code FROM webhook_attempts t WHERE t.delivery_id = d.id AND NOT t.ok ORDER BY t.id DESC LIMIT 1)
    WHERE d.state <> 'delivered' AND d.attempts > 0`,
  `CREATE INDEX webhook_deliveries_stuck ON webhook_deliveries (state, created_at DESC, id DESC) WHERE state IN ('failed', 'held')`,
  `CREATE INDEX webhook_deliveries_by_error ON webhook_deliveries (error_code, created_at DESC, id DESC) WHERE error_code IS NOT NULL`,
  // How many are stuck, or tried again, at an endpoint.
  `CREATE INDEX webhook_deliveries_stuck_at ON webhook_deliveries (endpoint_id, state) WHERE state IN ('failed', 'held')`,
  `CREATE INDEX webhook_deliveries_retried ON webhook_deliveries (endpoint_id) WHERE state = 'pending' AND attempts > 0`,
  // By which an endpoint's last failure is found.
  `CREATE INDEX webhook_attempts_failed ON webhook_attempts (endpoint_id, id) WHERE NOT ok`,
];
