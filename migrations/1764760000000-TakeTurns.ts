import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What: an index over open orders by when their workflow was last seen, and one over quotes of an environment by age.
 * Why: the sweeper looks at those that nobody has looked at for longest, and a draft of a price book is tried on the newest quotes; both
 * take a bounded number however many rows there are.
 */
export class TakeTurns1764760000000 implements MigrationInterface {
  name = 'TakeTurns1764760000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX orders_in_turn ON orders (workflow_seen_at) WHERE settled_at IS NULL AND workflow_seen_at IS NOT NULL`,
    );
    await runner.query(`CREATE INDEX quotes_by_age ON quotes (environment, created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX quotes_by_age`);
    await runner.query(`DROP INDEX orders_in_turn`);
  }
}
