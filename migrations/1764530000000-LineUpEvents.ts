import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: an event may have a place in its account's feed; one index finds the events that have none yet, the other those behind a place.
 * Why: `GET /events` must skip nothing while orders commit, and neither times nor numbers drawn at writing are in the order of commits. So
 * events are lined up after they were committed. Rows that are there get their places as those to come do, by whoever reads and by the
 * sweeper, a few at a time: nothing is rewritten here while the table is locked, and processes of the release before may go on writing.
 */
export class LineUpEvents1764530000000 implements MigrationInterface {
  name = 'LineUpEvents1764530000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE order_events ADD COLUMN feed_position bigint');
    await runner.query(
      `CREATE INDEX order_events_to_line_up ON order_events (account_id, environment, created_at, id) WHERE feed_position IS NULL`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX order_events_in_line ON order_events (account_id, environment, feed_position) WHERE feed_position IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE order_events DROP COLUMN feed_position');
  }
}
