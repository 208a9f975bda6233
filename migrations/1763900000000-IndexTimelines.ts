import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: an index over an order's timeline.
 * Why: the studio reads all of it with the order, applied and refused; the indexes there were each cover one outcome, so a
 * million stored orders made that read a hundred times slower. Building it takes a second for each million rows, and writes to
 * timelines wait for so long.
 */
export class IndexTimelines1763900000000 implements MigrationInterface {
  name = 'IndexTimelines1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX order_timeline_of_order ON order_timeline (order_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX order_timeline_of_order');
  }
}
