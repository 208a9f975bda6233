import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: an order knows up to which number remakes of it were given out, where that is further than its stored remakes go.
 * Why: a restored database has lost remakes whose numbers the floor has on paper; the next one takes a number beyond them (rulings 48
 * and 57). `trade-print reconcile` raises it; for orders that are there, their remakes say all there is.
 */
export class RemakeBeyondLost1764770000000 implements MigrationInterface {
  name = 'RemakeBeyondLost1764770000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders ADD COLUMN remake_floor integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders DROP COLUMN remake_floor');
  }
}
